// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpooleventtypes.h"

#include <algorithm>
#include <iterator>

namespace QPool {

namespace {

struct Name
{
    unsigned type;
    const char *name;
};

// Sorted. The numbers are part of Qt's binary interface, and never change.
constexpr Name Names[] = {
    { 0, "None" }, { 1, "Timer" }, { 2, "MouseButtonPress" }, { 3, "MouseButtonRelease" },
    { 4, "MouseButtonDblClick" }, { 5, "MouseMove" }, { 6, "KeyPress" }, { 7, "KeyRelease" },
    { 8, "FocusIn" }, { 9, "FocusOut" }, { 10, "Enter" }, { 11, "Leave" }, { 12, "Paint" },
    { 13, "Move" }, { 14, "Resize" }, { 17, "Show" }, { 18, "Hide" }, { 19, "Close" },
    { 20, "Quit" }, { 21, "ParentChange" }, { 22, "ThreadChange" }, { 24, "WindowActivate" },
    { 25, "WindowDeactivate" }, { 26, "ShowToParent" }, { 27, "HideToParent" }, { 31, "Wheel" },
    { 33, "WindowTitleChange" }, { 35, "ApplicationWindowIconChange" }, { 39, "PaletteChange" },
    { 43, "MetaCall" }, { 50, "SockAct" }, { 52, "DeferredDelete" }, { 60, "DragEnter" },
    { 61, "DragMove" }, { 62, "DragLeave" }, { 63, "Drop" }, { 68, "ChildAdded" },
    { 69, "ChildPolished" }, { 71, "ChildRemoved" }, { 74, "PolishRequest" }, { 75, "Polish" },
    { 76, "LayoutRequest" }, { 77, "UpdateRequest" }, { 78, "UpdateLater" },
    { 82, "ContextMenu" }, { 83, "InputMethod" }, { 88, "LocaleChange" },
    { 89, "LanguageChange" }, { 90, "LayoutDirectionChange" }, { 97, "FontChange" },
    { 98, "EnabledChange" }, { 99, "ActivationChange" }, { 100, "StyleChange" },
    { 105, "WindowStateChange" }, { 110, "ToolTip" }, { 113, "ActionChanged" },
    { 114, "ActionAdded" }, { 116, "FileOpen" }, { 117, "Shortcut" },
    { 121, "ApplicationActivate" }, { 122, "ApplicationDeactivate" }, { 127, "HoverEnter" },
    { 128, "HoverLeave" }, { 129, "HoverMove" }, { 152, "AcceptDropsChange" },
    { 154, "ZeroTimerEvent" }, { 170, "DynamicPropertyChange" }, { 192, "StateMachineSignal" },
    { 193, "StateMachineWrapped" }, { 194, "TouchBegin" }, { 195, "TouchUpdate" },
    { 196, "TouchEnd" }, { 198, "Gesture" }, { 203, "WinIdChange" }, { 206, "Expose" },
    { 207, "InputMethodQuery" }, { 214, "ApplicationStateChange" },
};

} // namespace

std::string eventTypeName(unsigned type)
{
    constexpr unsigned user = 1000;
    if (type >= user)
        return type == user ? "User" : "User+" + std::to_string(type - user);
    const auto found = std::find_if(std::begin(Names), std::end(Names),
                                    [type](const Name &name) { return name.type == type; });
    return found != std::end(Names) ? found->name : "type " + std::to_string(type);
}

} // namespace QPool
