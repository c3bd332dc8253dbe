package dev.parley.channels.bots;

import dev.parley.channels.bots.delivery.DeliveryLedger;
import dev.parley.channels.bots.delivery.DeliveryRows;
import dev.parley.channels.bots.delivery.OpenTurns;
import dev.parley.channels.bots.delivery.ReplyFiles;
import dev.parley.channels.bots.delivery.SentMessageRows;
import dev.parley.channels.bots.delivery.TaskMessageRows;
import dev.parley.channels.bots.people.AllowedPeople;
import dev.parley.channels.bots.people.ChannelLinkRows;
import dev.parley.channels.bots.people.ChannelLinks;
import dev.parley.channels.bots.people.ChannelPersonRows;
import dev.parley.channels.bots.people.ChatRows;
import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.DurableCommands;
import dev.parley.channels.contract.ErasureTarget;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.SentAnswers;
import dev.parley.channels.contract.TurnRates;
import dev.parley.channels.plugin.ChannelKinds;
import dev.parley.channels.plugin.OwnPaths;
import dev.parley.channels.plugin.PluginBots;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.audit.AuditTrail;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotKinds;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.erasure.ErasureFollower;
import dev.parley.platform.http.Caller;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Subscription;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.plugin.PluginFolder;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Beans of bots in the role {@code channels}. */
@Factory
@Requires(beans = ParleyConfig.class)
final class BotFactory {
    private static final UUID HOST = Caller.DEFAULT_HOST;

    @Singleton
    @Order(64)
    BotRegistry bots(ParleyConfig config, Database database, ProjectBotRows rows, Optional<Sealing> sealing) {
        Secrets secrets = Secrets.ofBots(config, System.getenv());
        return new BotRegistry(config.bots(), secrets::get, database, rows, sealing);
    }

    @Singleton
    Chats chats(Database database, ChatRows rows) {
        return new Chats(database, rows, HOST);
    }

    @Singleton
    BotStates states(Database database, BotRows rows, ParleyConfig config) {
        return new BotStates(database, rows, HOST, config.instance());
    }

    @Singleton
    DeliveryLedger ledger(Database database, DeliveryRows deliveries, SentMessageRows messages, TaskMessageRows tasks) {
        return new DeliveryLedger(database, deliveries, messages, tasks);
    }

    @Singleton
    AllowedPeople people(Database database, ChannelPersonRows rows) {
        return new AllowedPeople(database, rows, HOST);
    }

    @Singleton
    OpenTurns unanswered() {
        return new OpenTurns();
    }

    @Singleton
    @Order(9) // ends after the bots, which send with it
    ReplySender sender(KafkaClients clients) {
        return new ReplySender(clients);
    }

    @Singleton
    ChannelLinks links(
            Database database,
            ChannelLinkRows rows,
            Chats chats,
            Optional<AccessDirectory> directory,
            AuditTrail audit) {
        return new ChannelLinks(database, rows, HOST, chats, directory.orElse(AccessDirectory.NOTHING), audit::record);
    }

    @Singleton
    @Order(65)
    @Named("erased people")
    @Requires(beans = AccessFollower.class)
    ErasureFollower erasedPeople(
            AccessFollower directory,
            Database database,
            ChannelLinkRows rows,
            List<ErasureTarget> others,
            KafkaClients clients) {
        return ErasureFollower.ofPeople(
                "channels",
                clients,
                directory,
                account -> OptionalLong.of(
                        database.in(Tenant.of(account.host()), () -> rows.erase(account.host(), account.user()))
                                + others.stream()
                                        .mapToLong(other -> other.erase(account))
                                        .sum()));
    }

    @Singleton
    BotRights rights(ChannelLinks links, AllowedPeople people, Optional<AccessDirectory> directory) {
        return new BotRights(HOST, directory.orElse(AccessDirectory.NOTHING), links, people);
    }

    @Singleton
    Intake intake(
            DurableCommands commands,
            BotRegistry bots,
            Chats chats,
            ReplySender sender,
            OpenTurns openTurns,
            TurnRates rates,
            Tracing tracing,
            AccessDirectory directory) {
        return new CommandIntake(commands, HOST, bots, chats, sender, openTurns, rates, tracing, directory);
    }

    @Singleton
    SentAnswers answers(DeliveryLedger ledger) {
        return (bot, chat, message) -> ledger.answer(HOST, bot, chat, message);
    }

    @Singleton
    ChatServices chatServices(
            BotRegistry bots,
            ChatState chatState,
            AllowedPeople people,
            Rights rights,
            AccountLinks links,
            BlobStore blobs,
            DefinitionCatalogue catalogue,
            BeanProvider<ChatTasks> tasks,
            SentAnswers answers,
            DeliveryLedger ledger,
            Optional<MeterRegistry> registry) {
        return new ChatServices(
                bots,
                chatState,
                people,
                rights,
                links,
                blobs,
                catalogue,
                tasks::get,
                answers,
                (bot, report) -> ledger.record(HOST, bot, report),
                registry.orElseGet(CompositeMeterRegistry::new));
    }

    @Singleton
    @Bean(preDestroy = "close")
    ChannelKinds kinds(
            BeanContext beans,
            ParleyConfig config,
            BotRegistry bots,
            Rights rights,
            ContentReader content,
            ChatServices chatServices,
            Optional<MeterRegistry> registry) {
        var pluginBots = new PluginBots(
                bots, rights, content, chatServices, config.powers(), registry.orElseGet(CompositeMeterRegistry::new));
        return new ChannelKinds(
                BotKinds.CHANNELS,
                PluginFolder.load(config.tools().plugins(), ChannelPlugin.class),
                pluginBots,
                OwnPaths.of(beans));
    }

    @Singleton
    ChatTasks tasks(
            Database database,
            TaskMessageRows rows,
            BotRegistry bots,
            ChannelKinds channels,
            ChannelLinks links,
            Rights rights,
            Chats chats,
            Optional<AccessDirectory> directory,
            DurableCommands commands,
            ReplySender sender,
            AuditTrail audit) {
        return new ChatTasks(
                database,
                rows,
                HOST,
                bots,
                channels,
                links,
                rights,
                chats,
                directory.orElse(AccessDirectory.NOTHING),
                commands,
                sender,
                audit::record);
    }

    @Singleton
    @Order(66)
    @Named("task messages")
    Subscription<WorkflowEvent> taskMessages(KafkaClients clients, ChatTasks tasks) {
        return new Subscription<>(
                clients,
                Topics.WORKFLOW_EVENTS,
                "parley-task-messages",
                type -> type.startsWith(WorkflowEvent.OF_PEOPLE),
                tasks::apply);
    }

    @Singleton
    @Order(65)
    @Named("erased projects of chats")
    @Requires(beans = AccessFollower.class)
    ErasureFollower erasedProjects(
            AccessFollower directory,
            Database database,
            TaskMessageRows tasks,
            ProjectBotRows bots,
            List<ErasureTarget> others,
            KafkaClients clients) {
        return ErasureFollower.ofProjects(
                "channels",
                clients,
                directory,
                project -> OptionalLong.of(database.in(
                                Tenant.of(project.host()),
                                () -> tasks.deleteOfProject(project.host(), project.project())
                                        + bots.deleteOfProject(project.host(), project.project()))
                        + others.stream()
                                .mapToLong(other -> other.erase(project))
                                .sum()));
    }

    @Singleton
    DueReminders reminders(DurableCommands commands, BotRegistry bots, BotRights rights, Chats chats) {
        return new DueReminders(commands, HOST, bots, rights, chats);
    }

    @Singleton
    @Order(70)
    BotAssignments owner(
            KafkaClients clients,
            BotRegistry bots,
            ChannelKinds channels,
            Intake intake,
            Rights rights,
            Chats chats,
            ReplySender sender,
            DueReminders reminders,
            OpenTurns openTurns,
            BotStates states,
            DeliveryLedger ledger,
            BlobStore blobs,
            Optional<MeterRegistry> registry,
            Tracing tracing) {
        return new BotAssignments(
                clients,
                bots,
                channels,
                intake,
                rights,
                HOST,
                ledger,
                new ReplyFiles(blobs),
                chats,
                sender,
                reminders,
                openTurns,
                states,
                registry.orElseGet(CompositeMeterRegistry::new),
                tracing);
    }
}
