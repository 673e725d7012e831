class Sightline < Formula
  desc "@DESCRIPTION@"
  homepage "@HOMEPAGE@"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cglm" => :build
  depends_on "cmake" => :build
  depends_on "scdoc" => :build
  depends_on "xxhash" => :build
  depends_on "jansson"
  depends_on "libpng"
  depends_on "libzip"
  depends_on "meshoptimizer"

  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-DBUILD_SHARED_LIBS=ON", "-DSIGHTLINE_TESTS=OFF",
                    "-DSIGHTLINE_EMBREE=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    pkgshare.install "test/consumer/consumer.c", "test/data/cube.obj"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/sightline --version")
    system bin/"sightline", "cast", pkgshare/"cube.obj", "--verify", "--generate", "all", "--pairs", "1e6"
    system ENV.cc, pkgshare/"consumer.c", "-o", "consumer", "-I#{include}", "-L#{lib}", "-lsightline", "-lsightline_io"
    system "./consumer"
  end
end
