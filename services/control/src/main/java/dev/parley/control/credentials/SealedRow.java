package dev.parley.control.credentials;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;

/**
 * A sealed credential.
 *
 * @param masterKeyId the master key that sealed it
 */
@MappedEntity(value = "provider_credential_t", schema = "control")
record SealedRow(UUID hostId, @Id UUID credentialId, byte[] sealed, long masterKeyId) {
    @Override
    public String toString() {
        return "SealedRow[" + credentialId + "]";
    }
}
