/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 -g */
/* link: -lpthread */
/* ask() waits within call_once() for the end of a thread that std::async() made. */
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

__attribute__((noinline)) static int
ask()
{
    auto answer = std::async(std::launch::async, [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return 42;
    });

    return answer.get();
}

int
main()
{
    std::printf("%d\n", ask());
    return 0;
}
