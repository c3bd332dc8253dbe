package dev.parley.platform.sealing;

import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.util.SecretBytes;
import java.util.Arrays;
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
    public static final int LENGTH = SecretKeys.LENGTH;

    private static final String PURPOSE = "parley master key ";

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
        SecretKeys.parse(text, PURPOSE).forEach((id, bytes) -> {
            byId.put(id, SecretBytes.copyFrom(bytes, InsecureSecretKeyAccess.get()));
            Arrays.fill(bytes, (byte) 0);
        });
        return new MasterKeys(byId);
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
