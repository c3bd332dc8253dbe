package dev.parley.platform.sealing;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that all processes of an installation share, whatever their roles. Nothing uses it itself: each purpose
 * has keys that HKDF (RFC 5869, with SHA-256) derives from it, so that what is made for one purpose is worth nothing
 * for another. Of several keys the first one signs, all of them verify, so that it rotates without downtime.
 *
 * <p>Apart from {@link MasterKeys}, which open the stored secrets of people and which only some roles have.
 */
public final class InstallationKey {
    /** Length of a key in bytes. */
    public static final int LENGTH = SecretKeys.LENGTH;

    private static final String ID = "parley installation key ";
    private static final String LABEL = "parley/installation-key/v1/";

    /** What keys are derived for. A label never changes: what was signed with it would be worth nothing. */
    public enum Purpose {
        /** Records on topics. */
        RECORDS("topic-records"),
        /** Tickets in addresses. */
        TICKETS("tickets"),
        /** Cookies of the console. */
        COOKIES("console-cookies"),
        /** Marks of browsers that signed in before. */
        DEVICES("known-devices"),
        /** Links that show something to whoever has them. */
        LINKS("links");

        private final String label;

        Purpose(String label) {
            this.label = label;
        }
    }

    private final SequencedMap<Integer, byte[]> byId;

    private InstallationKey(SequencedMap<Integer, byte[]> byId) {
        this.byId = Collections.unmodifiableSequencedMap(byId);
    }

    /**
     * Reads keys: each is {@value #LENGTH} bytes in base64, several are separated by commas, the newest first.
     *
     * @throws IllegalArgumentException if a key is invalid; the message does not contain it
     */
    public static InstallationKey parse(String text) {
        return new InstallationKey(SecretKeys.parse(text, ID));
    }

    /** Signs and verifies messages of a purpose. */
    public MessageMacs macs(Purpose purpose) {
        var keys = new LinkedHashMap<Integer, SecretKey>();
        byId.forEach((id, key) -> keys.put(id, derive(key, purpose)));
        return new MessageMacs(keys);
    }

    /** The ids of the keys, the signing one first. */
    public List<Integer> ids() {
        return List.copyOf(byId.keySet());
    }

    private static SecretKey derive(byte[] key, Purpose purpose) {
        try {
            byte[] info = (LABEL + purpose.label).getBytes(StandardCharsets.UTF_8);
            var parameters = HKDFParameterSpec.ofExtract()
                    .addIKM(new SecretKeySpec(key, "Generic"))
                    .thenExpand(info, LENGTH);
            return KDF.getInstance("HKDF-SHA256").deriveKey(MessageMacs.ALGORITHM, parameters);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no key can be derived", e); // every Java has it
        }
    }

    /** Without the keys. */
    @Override
    public String toString() {
        return "InstallationKey" + ids();
    }
}
