/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small ray tracer: a checked floor, mirrored balls and soft shadows. The picture's
 * rows are shared out among threads. -I: where libcollector.h is, if not installed.
 *   rays [WIDTH [THREADS]] >picture.ppm
 */
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
#include <libcollector.h>
struct Vec {
    double x, y, z;
};

inline Vec operator+(Vec a, Vec b) { return { a.x + b.x, a.y + b.y, a.z + b.z }; }
inline Vec operator-(Vec a, Vec b) { return { a.x - b.x, a.y - b.y, a.z - b.z }; }
inline Vec operator*(Vec a, double k) { return { a.x * k, a.y * k, a.z * k }; }
inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec unit(Vec a) { return a * (1 / std::sqrt(dot(a, a))); }

struct Ray {
    Vec from, along;
};

struct Ball {
    Vec centre;
    double radius;
    Vec colour;
    double mirror;
};

struct Scene {
    std::vector<Ball> balls;
};

struct Hit {
    double distance;
    const Ball *ball;
};

/* Random numbers for soft shadows: the same picture on every run. */
struct Random {
    std::uint64_t state;

    double next()
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state >> 11) / 9007199254740992.0;
    }
};

const Vec lamp = { 4, 7, -3 };
const int shadow_rays = 32;
const int deepest = 5;

static Scene spiral()
{
    Scene scene;

    for (int i = 0; i < 24; i++) {
        double angle = i * 0.7, away = 1.2 + i * 0.16;

        scene.balls.push_back({ { away * std::cos(angle), 0.2 + 0.02 * i,
                            2.5 + away * std::sin(angle) },
                          0.2 + 0.02 * i,
                          { 0.4 + 0.025 * i, 0.9 - 0.03 * i, 0.5 },
                          i % 3 ? 0.15 : 0.7 });
    }
    return scene;
}

/* Where does the ray meet the ball? A negative distance: nowhere. */
inline double meet(const Ray &ray, const Ball &ball)
{
    Vec to = ball.centre - ray.from;
    double half = dot(to, ray.along);
    double rest = half * half - dot(to, to) + ball.radius * ball.radius;

    return rest < 0 ? -1 : half - std::sqrt(rest);
}

[[gnu::noinline]] static Hit nearest(const Scene &scene, const Ray &ray)
{
    Hit hit = { 1e9, nullptr };

    for (const Ball &ball : scene.balls) {
        double distance = meet(ray, ball);

        if (distance > 1e-6 && distance < hit.distance)
            hit = { distance, &ball };
    }
    return hit;
}

/* How much of the lamp is seen from here, by rays to random points of it. */
[[gnu::noinline]] static double lit(const Scene &scene, Vec at, Random &random)
{
    int seen = 0;

    for (int i = 0; i < shadow_rays; i++) {
        Vec point = lamp + Vec{ random.next(), random.next(), random.next() };

        if (!nearest(scene, { at, unit(point - at) }).ball)
            seen++;
    }
    return static_cast<double>(seen) / shadow_rays;
}

/* Marble: waves bent by waves, at ever smaller scales. */
[[gnu::noinline]] static double grain(Vec at)
{
    double sum = 0, scale = 1.3;

    for (int octave = 0; octave < 20; octave++) {
        sum += std::sin(at.x * scale + 2 * std::sin((at.z + at.y) * scale)) / scale;
        scale *= 1.4;
    }
    return 0.75 + 0.25 * sum;
}

[[gnu::noinline]] static Vec sky(const Ray &ray)
{
    double up = std::pow(std::max(0.0, 1 - ray.along.y), 3);

    return { 0.3 + 0.5 * up, 0.5 + 0.3 * up, 1 };
}

static Vec trace(const Scene &scene, const Ray &ray, int depth, Random &random);

[[gnu::noinline]] static Vec floor_colour(const Scene &scene, const Ray &ray,
                                   Random &random)
{
    Vec at = ray.from + ray.along * (-ray.from.y / ray.along.y);
    bool dark = (static_cast<int>(std::floor(at.x) + std::floor(at.z)) & 1) != 0;

    double light = (dark ? 0.25 : 0.9) * (0.2 + lit(scene, at, random));

    return Vec{ 0.9, 0.9, 0.8 } * (light * grain(at));
}

[[gnu::noinline]] static Vec ball_colour(const Scene &scene, const Ray &ray,
                                  Hit hit, int depth, Random &random)
{
    Vec at = ray.from + ray.along * hit.distance;
    Vec out = unit(at - hit.ball->centre);
    Ray back = { at, ray.along - out * (2 * dot(ray.along, out)) };
    double light = std::max(0.0, dot(out, unit(lamp - at))) * lit(scene, at, random);

    return hit.ball->colour * ((0.15 + light) * grain(at)) * (1 - hit.ball->mirror) +
           trace(scene, back, depth + 1, random) * hit.ball->mirror;
}

static Vec trace(const Scene &scene, const Ray &ray, int depth, Random &random)
{
    if (depth > deepest)
        return { 0, 0, 0 };
    Hit hit = nearest(scene, ray);
    if (hit.ball)
        return ball_colour(scene, ray, hit, depth, random);
    if (ray.along.y < 0)
        return floor_colour(scene, ray, random);
    return sky(ray);
}

inline unsigned char byte(double level)
{
    return static_cast<unsigned char>(255 * std::sqrt(std::clamp(level, 0.0, 1.0)));
}

static void render_row(const Scene &scene, int width, int row, unsigned char *out)
{
    Random random = { static_cast<std::uint64_t>(row) };
    const int height = width * 9 / 16;

    for (int column = 0; column < width; column++) {
        Vec along = unit({ (column - width / 2) * 1.6 / width,
                           (height / 2 - row) * 1.6 / width - 0.12, 1 });
        Vec colour = trace(scene, { { 0, 1.5, -4 }, along }, 0, random);

        *out++ = byte(colour.x);
        *out++ = byte(colour.y);
        *out++ = byte(colour.z);
    }
}

int main(int argc, char **argv)
{
    const int width = argc > 1 ? std::atoi(argv[1]) : 1280;
    const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
    const int height = width * 9 / 16;

    if (width < 16 || width > 16384 || threads < 1 || threads > 256) {
        std::fprintf(stderr, "usage: rays [WIDTH [THREADS]] >picture.ppm\n");
        return 1;
    }
    const Scene scene = spiral();
    std::vector<unsigned char> picture(static_cast<std::size_t>(width) * height * 3);
    std::vector<std::thread> workers;
    std::atomic<int> next{ 0 };

    for (int i = 0; i < threads; i++)
        workers.emplace_back([&] {
            collector_region region("render");
            for (int row; (row = next++) < height;) {
                collector_region one("row");
                one.number(row);
                render_row(scene, width, row, &picture[std::size_t(row) * width * 3]);
            }
        });
    for (std::thread &worker : workers)
        worker.join();
    collector_region region("write");
    std::printf("P6\n%d %d\n255\n", width, height);
    return std::fwrite(picture.data(), 1, picture.size(), stdout) != picture.size();
}
