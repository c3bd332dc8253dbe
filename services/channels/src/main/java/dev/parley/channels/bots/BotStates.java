package dev.parley.channels.bots;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which instance owns each bot, and what an operator has to mend before it works: for all instances to read.
 *
 * @param instance the name of this one
 */
record BotStates(Database database, BotRows rows, UUID host, String instance) {
    /** This instance owns the bot now. */
    void owned(String bot) {
        database.in(Tenant.of(host), () -> {
            rows.setOwner(host, bot, instance);
            return bot;
        });
    }

    /** What is wrong with a bot of this instance from now on, or null. */
    void problem(String bot, @Nullable String problem) {
        database.in(Tenant.of(host), () -> {
            rows.setProblem(host, bot, instance, problem);
            return bot;
        });
    }

    /** What is known of each bot that was ever owned. */
    Map<String, BotState> all() {
        return database.in(Tenant.of(host), () -> rows.findByHostId(host)).stream()
                .collect(Collectors.toMap(BotState::bot, Function.identity()));
    }
}
