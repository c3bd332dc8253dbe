package dev.parley.platform.sealing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * HMAC-SHA-256 of messages under the keys of one purpose ({@link InstallationKey#macs}). A MAC is text for headers,
 * cookies and addresses: the id of its key in eight hexadecimal digits, a dot, and 43 characters of base64url. Safe for
 * use by several threads.
 */
public final class MessageMacs {
    static final String ALGORITHM = "HmacSHA256";

    private final int first;
    /** Initialised with their keys; copied for each message, since they are not safe for several threads. */
    private final Map<Integer, Mac> prototypes;

    MessageMacs(SequencedMap<Integer, SecretKey> keys) {
        this.first = keys.firstEntry().getKey();
        this.prototypes = new LinkedHashMap<>();
        keys.forEach((id, key) -> prototypes.put(id, initialised(key)));
    }

    /**
     * The MAC of a message under the first key.
     *
     * @param parts of the message; null and empty parts differ, and no part can pass for two
     */
    public String sign(byte[] @Nullable ... parts) {
        return sign(first, parts);
    }

    private String sign(int key, byte[] @Nullable [] parts) {
        return prefix(key) + Base64.getUrlEncoder().withoutPadding().encodeToString(mac(key, parts));
    }

    /** Whether this is, to the letter, the MAC of a message under one of the keys. */
    public boolean verifies(String mac, byte[] @Nullable ... parts) {
        return prototypes.keySet().stream()
                .filter(key -> mac.startsWith(prefix(key)))
                .anyMatch(key -> MessageDigest.isEqual(bytes(sign(key, parts)), bytes(mac))); // in constant time
    }

    /** Whether a MAC names the first key, so that what it signs needs not be signed again. */
    public boolean isCurrent(String mac) {
        return mac.startsWith(prefix(first));
    }

    /** Whether a MAC names one of the keys. */
    public boolean knows(String mac) {
        return prototypes.keySet().stream().anyMatch(key -> mac.startsWith(prefix(key)));
    }

    private static String prefix(int key) {
        return HexFormat.of().toHexDigits(key) + '.';
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] mac(int id, byte[] @Nullable [] parts) {
        var mac = copy(id);
        for (byte[] part : parts) {
            mac.update(ByteBuffer.allocate(Integer.BYTES)
                    .putInt(part == null ? -1 : part.length)
                    .flip());
            if (part != null) {
                mac.update(part);
            }
        }
        return mac.doFinal();
    }

    private Mac copy(int id) {
        try {
            return (Mac) Objects.requireNonNull(prototypes.get(id)).clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e); // that of the JDK can be copied
        }
    }

    private static Mac initialised(SecretKey key) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
