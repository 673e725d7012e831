vcpkg_download_distfile(ARCHIVE
  URLS "@URL@"
  FILENAME "sightline-${VERSION}.tar.gz"
  SHA512 @SHA512@
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    io SIGHTLINE_IO
    io SIGHTLINE_MESHOPTIMIZER
    tools SIGHTLINE_TOOLS
)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DSIGHTLINE_TESTS=OFF
    -DSIGHTLINE_EMBREE=OFF
  MAYBE_UNUSED_VARIABLES
    SIGHTLINE_EMBREE
    SIGHTLINE_MESHOPTIMIZER
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sightline)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()

if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES sightline AUTO_CLEAN)
endif()
file(REMOVE_RECURSE
  "${CURRENT_PACKAGES_DIR}/debug/include"
  "${CURRENT_PACKAGES_DIR}/debug/share"
)

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
