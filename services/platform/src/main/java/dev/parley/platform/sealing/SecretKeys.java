package dev.parley.platform.sealing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** Reads secret keys of a setting: {@value #LENGTH} bytes in base64 each, several are separated by commas. */
final class SecretKeys {
    /** Length of a key in bytes. */
    static final int LENGTH = 32;

    private SecretKeys() {}

    /**
     * The keys by their ids, in their order. An id is derived from its key and does not reveal it.
     *
     * @param purpose part of the ids
     * @throws IllegalArgumentException if a key is invalid or appears twice; the message does not contain it
     */
    static SequencedMap<Integer, byte[]> parse(String text, String purpose) {
        var byId = new LinkedHashMap<Integer, byte[]>();
        String[] parts = text.split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            String name = parts.length == 1 ? "the key" : "key " + (i + 1);
            byte[] key = bytes(name, parts[i].strip());
            if (byId.put(id(key, purpose), key) != null) {
                throw new IllegalArgumentException(name + " appears twice");
            }
        }
        return byId;
    }

    private static byte[] bytes(String name, String text) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + " is not valid base64"); // without the cause, which contains a part of the key
        }
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("%s has %d bytes, %d are needed".formatted(name, bytes.length, LENGTH));
        }
        return bytes;
    }

    private static int id(byte[] key, String purpose) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(purpose.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest.digest(key)).getInt() & Integer.MAX_VALUE;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
