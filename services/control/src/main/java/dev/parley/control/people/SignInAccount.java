package dev.parley.control.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An account that may sign in. */
@MappedEntity(value = "user_t", schema = "control")
record SignInAccount(
        @Id @MappedProperty("user_id") UUID user,

        @MappedProperty("host_id") UUID host,
        @Nullable String passwordHash,
        boolean active) {
    @Override
    public String toString() {
        return "SignInAccount[" + user + "]";
    }
}
