// SPDX-License-Identifier: Apache-2.0
/** Computes hashes of numbers, in two ways. */
public class Work {
    static int spin(int n) {
        int s = 0;
        for (int i = 0; i < n; i++)
            s = s * 31 + (i ^ n);
        return s;
    }

    static int once(int n) {
        int s = n;
        for (int i = 0; i < n; i++)
            s = s * 17 + (i & n);
        return s;
    }

    public static void main(String[] args) {
        int sum = 0;

        for (int i = 0; i < 20000; i++)
            sum += spin(20000 + i) + once(5000);
        System.out.println(sum);
    }
}
