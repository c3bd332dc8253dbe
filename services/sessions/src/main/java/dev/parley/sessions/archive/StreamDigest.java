package dev.parley.sessions.archive;

import dev.parley.domain.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** SHA-256 digests of streams. */
final class StreamDigest {
    private static final int BUFFER = 1 << 16;

    private StreamDigest() {}

    /** The digest in hexadecimal; empty if there are more than {@code max} bytes, of which no more are read. */
    static String of(InputStream in, long max) throws IOException {
        MessageDigest digest = Sha256.digest();
        byte[] buffer = new byte[BUFFER];
        long remaining = max;
        for (int n = in.read(buffer); n >= 0 && remaining >= 0; n = in.read(buffer)) {
            digest.update(buffer, 0, n);
            remaining -= n;
        }
        return remaining < 0 ? "" : HexFormat.of().formatHex(digest.digest());
    }
}
