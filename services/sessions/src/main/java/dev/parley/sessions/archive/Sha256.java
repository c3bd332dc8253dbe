package dev.parley.sessions.archive;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of streams. */
final class Sha256 {
    private static final int BUFFER = 1 << 16;

    private Sha256() {}

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The digest of all that comes, in hexadecimal digits; no more than {@code most} bytes are read. */
    static String of(InputStream in, long most) throws IOException {
        MessageDigest digest = digest();
        byte[] buffer = new byte[BUFFER];
        long left = most;
        for (int n = in.read(buffer); n >= 0 && left >= 0; n = in.read(buffer)) {
            digest.update(buffer, 0, n);
            left -= n;
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
