package dev.parley.control.credentials;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;

/** A credential as it is sealed. @param masterKeyId which master key has sealed it */
@MappedEntity(value = "provider_credential_t", schema = "control")
record SealedRow(UUID hostId, @Id UUID credentialId, byte[] sealed, long masterKeyId) {
    @Override
    public String toString() {
        return "SealedRow[" + credentialId + "]";
    }
}
