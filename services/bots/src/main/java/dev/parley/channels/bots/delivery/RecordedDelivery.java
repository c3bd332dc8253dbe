package dev.parley.channels.bots.delivery;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.delivery_t}: a reply that was delivered or abandoned.
 *
 * @param state {@code delivered} or {@code failed}
 */
@MappedEntity(value = "delivery_t", schema = "channels")
public record RecordedDelivery(
        @Id @MappedProperty("reply_id") UUID reply,

        String chat,
        String state,
        @Nullable String detail,
        @MappedProperty("update_ts") Instant at) {}
