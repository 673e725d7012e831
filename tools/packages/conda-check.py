"""Reads and renders recipe.yaml with rattler-build, then builds and tests it with this machine's compiler and libraries.

    python conda-check.py RECIPE FOLDER

The second is without the recipe's requirements, as there is no channel to take them from; that the libraries which
those name are all that is needed, it does not show.
"""
import sys
from pathlib import Path

from rattler_build import (
    EnvironmentIsolation,
    PlatformConfig,
    RenderConfig,
    Stage0Recipe,
    ToolConfiguration,
    VariantConfig,
)

recipe, folder = Path(sys.argv[1]), Path(sys.argv[2])
text = recipe.read_text()

# As conda-forge pins them; the version of each is of no matter here.
pins = {"c_compiler": ["gcc"], "c_stdlib": ["sysroot"]}
for platform in ("linux-64", "linux-aarch64", "osx-64", "osx-arm64"):
    config = RenderConfig(platform=PlatformConfig(target_platform=platform))
    (variant,) = Stage0Recipe.from_yaml(text).render(VariantConfig(pins), config)
    print(f"{platform}: {variant.recipe.package.name} {variant.recipe.package.version}")

before, rest = text.split("requirements:\n", 1)
bare = Stage0Recipe.from_yaml(before + rest[rest.index("\ntests:") :], recipe_dir=recipe.parent)
(variant,) = bare.render(VariantConfig({}))
result = variant.run_build(
    ToolConfiguration(test_strategy="native"),
    output_dir=folder,
    channels=[],
    env_isolation=EnvironmentIsolation.NONE,
)
for package in result.packages:
    print(f"built and tested: {Path(package).name}")
