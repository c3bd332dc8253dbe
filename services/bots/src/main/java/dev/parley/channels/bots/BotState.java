package dev.parley.channels.bots;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.bot_t}: the owner and the problem of a bot.
 *
 * @param problem problem of the bot since {@code problemSince}, or null
 */
@MappedEntity(value = "bot_t", schema = "channels")
record BotState(
        UUID hostId,
        @Id String bot,
        String owner,
        @MappedProperty("owned_ts") Instant since,
        @Nullable String problem,
        @Nullable @MappedProperty("problem_ts") Instant problemSince) {}
