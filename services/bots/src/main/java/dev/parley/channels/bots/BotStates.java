package dev.parley.channels.bots;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The owner and the problem of each bot, published to all instances.
 *
 * @param instance the name of this instance
 */
record BotStates(Database database, BotRows rows, UUID host, String instance) {
    /** This instance owns the bot now. */
    void recordOwnership(String bot) {
        database.in(Tenant.of(host), () -> {
            rows.setOwner(host, bot, instance);
        });
    }

    /** Sets or clears the problem of a bot that this instance owns. */
    void problem(String bot, @Nullable String problem) {
        database.in(Tenant.of(host), () -> {
            rows.setProblem(host, bot, instance, problem);
        });
    }

    /** The state of each bot that was ever owned. */
    Map<String, BotState> all() {
        return database.in(Tenant.of(host), () -> rows.findByHostId(host)).stream()
                .collect(Collectors.toMap(BotState::bot, Function.identity()));
    }
}
