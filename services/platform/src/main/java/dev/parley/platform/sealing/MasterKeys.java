package dev.parley.platform.sealing;

import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.util.SecretBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The keys that encrypt stored secrets, by their ids: the first one seals, all of them open. An id is derived from its
 * key, so that it does not change with the other keys; it does not reveal the key.
 */
public final class MasterKeys {
    /** Length of a key in bytes. */
    public static final int LENGTH = 32;

    private static final byte[] PURPOSE = "parley master key ".getBytes(StandardCharsets.UTF_8);

    private final SequencedMap<Integer, SecretBytes> byId;

    private MasterKeys(SequencedMap<Integer, SecretBytes> byId) {
        this.byId = Collections.unmodifiableSequencedMap(byId);
    }

    /**
     * Reads keys: each is {@value #LENGTH} bytes in base64, several are separated by commas.
     *
     * @throws IllegalArgumentException if a key is invalid; the message does not contain it
     */
    public static MasterKeys parse(String text) {
        var byId = new LinkedHashMap<Integer, SecretBytes>();
        String[] parts = text.split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            String name = parts.length == 1 ? "the key" : "key " + (i + 1);
            byte[] bytes = bytes(name, parts[i].strip());
            var secret = SecretBytes.copyFrom(bytes, InsecureSecretKeyAccess.get());
            if (byId.put(id(bytes), secret) != null) {
                throw new IllegalArgumentException(name + " appears twice");
            }
            Arrays.fill(bytes, (byte) 0);
        }
        return new MasterKeys(byId);
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

    private static int id(byte[] key) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(PURPOSE);
            return ByteBuffer.wrap(digest.digest(key)).getInt() & Integer.MAX_VALUE;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    /** The id of the sealing key. */
    public long first() {
        return byId.firstEntry().getKey();
    }

    /** The ids of all keys, the sealing key first. */
    public List<Long> ids() {
        return byId.keySet().stream().map(Integer::longValue).toList();
    }

    /** The keys by their ids, the sealing key first. */
    Map<Integer, SecretBytes> all() {
        return byId;
    }

    /** Without the keys. */
    @Override
    public String toString() {
        return "MasterKeys" + ids();
    }
}
