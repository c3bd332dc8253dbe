package dev.parley.platform.sealing;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.AesGcmKey;
import com.google.crypto.tink.aead.AesGcmParameters;
import com.google.crypto.tink.util.SecretBytes;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Seals (encrypts) keys of model providers with AES-256-GCM and opens them. A sealed key is bound to its row: it
 * cannot be opened elsewhere. All cryptography is Tink's.
 */
public final class Sealing {
    private final MasterKeys keys;
    private @Nullable Aead aead;

    public Sealing(MasterKeys keys) {
        this.keys = keys;
    }

    /** A sealed value, and the id of the master key that sealed it. */
    public record Sealed(byte[] bytes, long key) {
        @Override
        public String toString() {
            return "Sealed[key=" + key + "]";
        }
    }

    /** A sealed value is damaged, belongs to another row, or its master key is missing. */
    public static final class NotOpenedException extends Exception {
        private static final long serialVersionUID = 1;

        NotOpenedException(String message) {
            this(message, null);
        }

        NotOpenedException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** Seals a secret for the row with this id. */
    public Sealed seal(String secret, UUID host, UUID row) {
        try {
            byte[] bytes = aead().encrypt(secret.getBytes(StandardCharsets.UTF_8), associatedData(host, row));
            return new Sealed(bytes, keys.first());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("nothing can be sealed", e);
        }
    }

    /**
     * Opens a value that was sealed for the row with this id.
     *
     * @param key id of the master key that sealed it
     * @throws NotOpenedException with the reason, without any secret
     */
    public String open(byte[] sealed, long key, UUID host, UUID row) throws NotOpenedException {
        if (!ids().contains(key)) {
            throw new NotOpenedException("the master key %d, which sealed it, is missing".formatted(key));
        }
        try {
            return new String(aead().decrypt(sealed, associatedData(host, row)), StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new NotOpenedException("it is damaged, or was sealed for something else", e);
        }
    }

    /** The id of the sealing master key. */
    public long first() {
        return keys.first();
    }

    /** The ids of all master keys, the sealing one first. */
    public List<Long> ids() {
        return keys.ids();
    }

    private static byte[] associatedData(UUID host, UUID row) {
        return ("parley/provider-credential/" + host + "/" + row).getBytes(StandardCharsets.UTF_8);
    }

    /** Created on first use, which makes the start quicker. */
    private synchronized Aead aead() throws GeneralSecurityException {
        Aead ready = aead;
        if (ready == null) {
            KeysetHandle.Builder set = KeysetHandle.newBuilder();
            for (var key : keys.all().entrySet()) {
                var entry = KeysetHandle.importKey(key(key.getKey(), key.getValue()))
                        .withFixedId(key.getKey());
                set.addEntry(key.getKey() == keys.first() ? entry.makePrimary() : entry);
            }
            ready = set.build().getPrimitive(AeadConfig2026.get(), Aead.class);
            aead = ready;
        }
        return ready;
    }

    /** The key with the bytes of a master key. */
    @AccessesPartialKey
    private static AesGcmKey key(int id, SecretBytes bytes) throws GeneralSecurityException {
        var parameters = AesGcmParameters.builder()
                .setKeySizeBytes(MasterKeys.LENGTH)
                .setIvSizeBytes(12)
                .setTagSizeBytes(16)
                .setVariant(AesGcmParameters.Variant.TINK) // the ciphertext contains the id of its key
                .build();
        return AesGcmKey.builder()
                .setParameters(parameters)
                .setKeyBytes(bytes)
                .setIdRequirement(id)
                .build();
    }
}
