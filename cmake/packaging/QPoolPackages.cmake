# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Debian packages, made by CPack: ./qpool package. CPack asks dpkg-shlibdeps for the libraries that each needs.
#
#   libqpool<N>, libqpool-malloc<N>   the libraries; N is the number in their SONAME
#   libqpool-dev                      headers, static libraries, the files of CMake and pkg-config
#   qpool-qtcore                      the pooled QtCore, beside the distribution's
#   qpool                             the command, its tools for terminals, man pages, completions
#   qpool-window                      the live view
#
# ./qpool package passes these:
#   QPOOL_PACKAGES_STAGE      a folder with the files of qpool and qpool-qtcore that are not built here
#   QPOOL_PACKAGES_QT         the package of the distribution's QtCore
#   QPOOL_PACKAGES_QT_VERSION its Qt version
#   QPOOL_PACKAGES_MAINTAINER as in a control file
#   QPOOL_PACKAGES_VIEW       the packages that the live view needs

include(GNUInstallDirs)
set(made "${CMAKE_CURRENT_BINARY_DIR}/packaging")
set(revision 1)
set(version "${PROJECT_VERSION}-${revision}")
get_target_property(soversion QPoolShared SOVERSION)
get_target_property(malloc_soversion QPoolMalloc SOVERSION)
set(runtime libqpool${soversion})
set(malloc libqpool-malloc${malloc_soversion})

install(TARGETS qpool-top qpool-census qpool-check qpool-memory qpool-heap RUNTIME DESTINATION libexec/qpool COMPONENT QPool_Tools)
install(TARGETS qpool-histogram RUNTIME DESTINATION libexec/qpool COMPONENT QPool_Window)
install(DIRECTORY "${QPOOL_PACKAGES_STAGE}/qtcore/" DESTINATION ${CMAKE_INSTALL_LIBDIR}/qpool
    COMPONENT QPool_QtCore USE_SOURCE_PERMISSIONS)
install(DIRECTORY "${QPOOL_PACKAGES_STAGE}/command/" DESTINATION . COMPONENT QPool_Tools USE_SOURCE_PERMISSIONS)

# qpool_package(<component> <package> <section> <summary> <description>)
function(qpool_package component package section summary description)
    string(TOUPPER "${component}" name)
    set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package} PARENT_SCOPE)
    set(CPACK_DEBIAN_${name}_PACKAGE_SECTION ${section} PARENT_SCOPE)
    set(CPACK_DEBIAN_${name}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
    list(JOIN ARGN ", " depends)
    if(depends)
        set(CPACK_DEBIAN_${name}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
    endif()
    set(CPACK_DEBIAN_${name}_FILE_NAME DEB-DEFAULT PARENT_SCOPE)
    # What Debian's policy wants in each package. The staged files are compressed as it says, without a time.
    set(copyright "${QPOOL_PACKAGES_STAGE}/doc/copyright")
    if(component STREQUAL "QPool_QtCore")
        set(copyright "${QPOOL_PACKAGES_STAGE}/doc/qtcore/copyright")
    endif()
    install(FILES "${copyright}" "${QPOOL_PACKAGES_STAGE}/doc/changelog.gz"
        "${QPOOL_PACKAGES_STAGE}/doc/changelog.Debian.gz" DESTINATION share/doc/${package} COMPONENT ${component})
    set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

# qpool_shared_library(<component> <package> <soversion> <library>): other packages' dependencies on it, and
# ldconfig's trigger.
function(qpool_shared_library component package soversion library)
    string(TOUPPER "${component}" name)
    # Below 1.0 programs are compiled again for each minor version.
    math(EXPR minor "${PROJECT_VERSION_MINOR} + 1")
    file(CONFIGURE OUTPUT "${made}/${component}/shlibs" CONTENT
        "${library} ${soversion} ${package} (>= ${PROJECT_VERSION}), ${package} (<< ${PROJECT_VERSION_MAJOR}.${minor}~)\n")
    file(CONFIGURE OUTPUT "${made}/${component}/triggers" CONTENT "activate-noawait ldconfig\n")
    set(CPACK_DEBIAN_${name}_PACKAGE_CONTROL_EXTRA
        "${made}/${component}/shlibs;${made}/${component}/triggers" PARENT_SCOPE)
endfunction()

set(qt "${QPOOL_PACKAGES_QT}")
string(REGEX MATCH "^([0-9]+\\.[0-9]+)\\.([0-9]+)" _ "${QPOOL_PACKAGES_QT_VERSION}")
math(EXPR patch "${CMAKE_MATCH_2} + 1")
set(next "${CMAKE_MATCH_1}.${patch}~")

qpool_package(QPool_Runtime ${runtime} libs "pool allocators for C++ programs"
    "Pools for blocks of one size or of many, for one thread or for all, and
what is built on them: allocators for the standard's containers, typed
pools, caches of objects, queues, and memory that several processes share.")
qpool_shared_library(QPool_Runtime ${runtime} ${soversion} libqpool)
qpool_package(QPool_Malloc ${malloc} libs "malloc() from a pool"
    "All functions of malloc() and operator new from a pool, to preload or to
link. It shares the pool of the pooled QtCore in a process.")
qpool_shared_library(QPool_Malloc ${malloc} ${malloc_soversion} libqpool-malloc)
qpool_package(QPool_Development libqpool-dev libdevel "pool allocators for C++ programs: files for development"
    "Headers, static libraries, and the files by which CMake's find_package()
and pkg-config find them."
    "${runtime} (= ${version})" "${malloc} (= ${version})")
qpool_package(QPool_QtCore qpool-qtcore libs "QtCore with a pool allocator, beside the distribution's"
    "QtCore ${QPOOL_PACKAGES_QT_VERSION} whose events and objects come from a pool. It is not
on the path of libraries: the qpool command starts programs on it."
    "${malloc} (= ${version})" "${qt} (>= ${QPOOL_PACKAGES_QT_VERSION})" "${qt} (<< ${next})")
qpool_package(QPool_Tools qpool utils "run Qt programs on pooled memory, and see what they allocate"
    "Starts installed Qt programs, unmodified, with their events, objects and
small blocks from a pool. Shows live what they allocate, counts their
objects by class, and records how long their events wait."
    "qpool-qtcore (= ${version})" "${malloc} (= ${version})" python3)
qpool_package(QPool_Window qpool-window utils "live view of what Qt programs allocate"
    "The window of the qpool commands demo and attach: histograms by size class,
arenas, memory, objects by class, and the latency of events."
    "qpool (= ${version})" ${QPOOL_PACKAGES_VIEW})

list(APPEND CPACK_COMPONENTS_ALL QPool_Pools QPool_SharedMemory)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME qpool)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision})
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${QPOOL_PACKAGES_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SOURCE qpool)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
# Of one package.
foreach(component IN ITEMS QPool_Pools QPool_SharedMemory QPool_Development)
    cpack_add_component(${component} GROUP QPool_Development)
endforeach()
foreach(component IN ITEMS QPool_Runtime QPool_Malloc QPool_QtCore QPool_Tools QPool_Window)
    cpack_add_component(${component} GROUP ${component})
endforeach()
