package dev.parley.channels.telegram;

import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Links;
import dev.parley.channels.contract.Memory;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.Tasks;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.definitions.Catalogue;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Telegram. */
public final class TelegramChannel implements Channel {
    /** Its name in sessions and in settings. */
    public static final String KIND = "telegram";

    private final BotTokens secrets;
    private final Memory memory;
    private final BotAudience people;
    private final Rights rights;
    private final Links links;
    private final BlobStore blobs;
    private final Catalogue catalogue;
    private final Supplier<Tasks> tasks;
    private final MeterRegistry registry;
    private final WebhookSecret secret;
    private final Map<String, Desk> desks = new ConcurrentHashMap<>();
    private final Map<String, ChatBackoff> backoff = new ConcurrentHashMap<>();

    /** Where updates of a bot are taken in, as long as its settings are these. */
    private record Desk(BotConfig bot, UpdateHandler handler) {}

    public TelegramChannel(
            BotTokens secrets,
            Memory memory,
            BotAudience people,
            Rights rights,
            Links links,
            BlobStore blobs,
            Catalogue catalogue,
            Supplier<Tasks> tasks,
            MeterRegistry registry) {
        this.secrets = secrets;
        this.memory = memory;
        this.people = people;
        this.rights = rights;
        this.links = links;
        this.blobs = blobs;
        this.catalogue = catalogue;
        this.tasks = tasks;
        this.registry = registry;
        this.secret = new WebhookSecret(secrets);
    }

    @Override
    public String kind() {
        return KIND;
    }

    /** Whoever writes to a bot in private has a chat that is called as they are. */
    @Override
    public Optional<String> privateChat(String user) {
        return Optional.of(user);
    }

    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        BotApi api = api(bot);
        return new TelegramBot(bot, api, handler(bot, api, intake), buttons(bot), memory, secret);
    }

    /** Where updates are taken in that are brought to this instance. */
    UpdateHandler handler(BotConfig bot, Intake intake) {
        Desk desk = desks.compute(
                bot.name(),
                (_, before) -> before != null && before.bot().equals(bot)
                        ? before
                        : new Desk(bot, handler(bot, api(bot), intake)));
        return desk.handler();
    }

    WebhookSecret secret() {
        return secret;
    }

    private UpdateHandler handler(BotConfig bot, BotApi api, Intake intake) {
        var commands = new Commands(bot, intake, catalogue, tasks.get());
        var admission = new BotAdmission(bot, intake, people, rights, registry);
        var linking = new Linking(bot, intake, memory, links);
        return new UpdateHandler(
                bot,
                api,
                intake,
                memory,
                admission,
                linking,
                new Downloads(api, blobs),
                commands,
                buttons(bot),
                registry);
    }

    private Buttons buttons(BotConfig bot) {
        return new Buttons(bot.name(), () -> secrets.get(bot.token()));
    }

    private BotApi api(BotConfig bot) {
        return new BotApi(
                bot.apiUrl(),
                () -> secrets.get(bot.token()),
                backoff.computeIfAbsent(bot.name(), _ -> new ChatBackoff(InstantSource.system())));
    }
}
