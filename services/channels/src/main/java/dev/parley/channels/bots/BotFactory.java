package dev.parley.channels.bots;

import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Memory;
import dev.parley.channels.contract.SafeCommands;
import dev.parley.channels.telegram.TelegramChannel;
import dev.parley.channels.webhook.WebhookChannel;
import dev.parley.domain.turn.Definitions;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.Secrets;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.http.Caller;
import dev.parley.platform.kafka.KafkaClients;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What the role {@code channels} runs besides the web: bots. */
@Factory
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
final class BotFactory {
    private static final UUID HOST = Caller.DEFAULT_HOST;

    @Singleton
    Chats chats(Database database) {
        return new Chats(new Sql(database), HOST);
    }

    @Singleton
    BotStates states(Database database, ParleyConfig config) {
        return new BotStates(new Sql(database), HOST, config.instance());
    }

    @Singleton
    Ledger ledger(Database database) {
        return new Ledger(new Sql(database));
    }

    @Singleton
    AllowedPeople people(Database database) {
        return new AllowedPeople(new Sql(database), HOST);
    }

    @Singleton
    Unanswered unanswered() {
        return new Unanswered();
    }

    @Singleton
    @Order(65)
    ReplySender sender(KafkaClients clients) {
        return new ReplySender(clients);
    }

    @Singleton
    Intake intake(SafeCommands commands, Chats chats, ReplySender sender, Unanswered unanswered) {
        return new CommandIntake(commands, HOST, chats, sender, unanswered);
    }

    @Singleton
    TelegramChannel telegram(
            ParleyConfig config,
            Memory memory,
            AllowedPeople people,
            BlobStore blobs,
            Definitions definitions,
            Optional<MeterRegistry> registry) {
        var secrets = Secrets.ofBots(config, System.getenv());
        return new TelegramChannel(
                secrets, memory, people, blobs, definitions, registry.orElseGet(CompositeMeterRegistry::new));
    }

    @Singleton
    WebhookChannel webhooks(ParleyConfig config) {
        return new WebhookChannel(Secrets.ofBots(config, System.getenv()));
    }

    @Singleton
    @Order(70)
    BotOwner owner(
            KafkaClients clients,
            ParleyConfig config,
            TelegramChannel telegram,
            WebhookChannel webhooks,
            Intake intake,
            Chats chats,
            ReplySender sender,
            Unanswered unanswered,
            BotStates states,
            Ledger ledger,
            BlobStore blobs,
            Optional<MeterRegistry> registry) {
        return new BotOwner(
                clients,
                config.bots(),
                Map.of(telegram.kind(), telegram, webhooks.kind(), webhooks),
                intake,
                HOST,
                ledger,
                new ReplyFiles(blobs),
                chats,
                sender,
                unanswered,
                states,
                registry.orElseGet(CompositeMeterRegistry::new));
    }
}
