package dev.parley.channels.bots.delivery;

import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.deltas.DeltaListener;
import dev.parley.channels.plugin.PluginChannel;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.config.bot.BotConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A bot that this instance owns: its connection, and an outbox for each active chat. */
public final class RunningBot implements AutoCloseable {
    private final BotConfig config;
    private final UUID host;
    private final DeliveryLedger ledger;
    private final ReplyFiles files;
    private final Chats chats;
    private final BotMeters meters;
    private final Connection connection;
    private final Rights rights;
    private final BotRateLimiter botRate;
    private final OpenTurns openTurns;
    private volatile boolean closed;
    private final Map<String, ChatOutbox> outboxes = new ConcurrentHashMap<>();

    public RunningBot(
            BotConfig config,
            PluginChannel channel,
            Intake intake,
            Rights rights,
            UUID host,
            DeliveryLedger ledger,
            ReplyFiles files,
            Chats chats,
            OpenTurns openTurns,
            BotMeters meters) {
        this.config = config;
        this.rights = rights;
        this.host = host;
        this.ledger = ledger;
        this.files = files;
        this.chats = chats;
        this.openTurns = openTurns;
        this.meters = meters;
        openTurns.open(config.name());
        this.connection = channel.connect(config, intake);
        meters.watch(this::oldest, () -> problem().isEmpty());
        this.botRate = new BotRateLimiter(connection
                .limits(new ConversationAddress(config.name(), "", null))
                .bot());
    }

    /** Its settings, which do not change while it runs. */
    public BotConfig config() {
        return config;
    }

    /** Delivers a reply; {@code onComplete} runs when it is complete. */
    public void deliver(Reply reply, Runnable onComplete) {
        var address = chats.session(new ConversationAddress(
                config.name(), reply.to().chat(), reply.to().topic()));
        openTurns.add(config.name(), reply.replyId(), reply.at());
        if (reply.kind() != Reply.Kind.MESSAGE) {
            openTurns.remove(config.name(), reply.turnId()); // from now on its reply is open
        }
        enqueue(
                address,
                outbox -> outbox.deliver(reply, address, () -> {
                    openTurns.remove(config.name(), reply.replyId());
                    onComplete.run();
                }));
    }

    /** Streams a delta of a turn of this bot. */
    public void onDelta(RecordKey key, TurnDelta delta) {
        if (!key.project().equals(config.project())) {
            return; // a session of the same name in another project
        }
        if (DeltaListener.isLast(delta)) {
            openTurns.remove(config.name(), delta.turnId()); // also of a turn that never ran and has no reply
        }
        String[] parts = key.session().substring(config.name().length() + 1).split(":");
        if (parts.length > 2) {
            return; // a delegate's session has no chat
        }
        var address = new ConversationAddress(config.name(), parts[0], parts.length > 1 ? parts[1] : null);
        enqueue(address, outbox -> outbox.onDelta(address, delta));
    }

    /** Age in seconds of the oldest open turn or reply. */
    private double oldest() {
        Instant now = Instant.now();
        return Duration.between(openTurns.oldest(config.name(), now), now).toMillis() / 1e3;
    }

    /** The problem that prevents receiving and sending until an operator acts; empty for none. */
    public Optional<String> problem() {
        return connection.problem().or(() -> rights.problem(config));
    }

    private interface OutboxTask {
        boolean submitTo(ChatOutbox outbox);
    }

    private void enqueue(ConversationAddress address, OutboxTask task) {
        while (true) {
            ChatOutbox outbox = outboxes.computeIfAbsent(address.chat(), _ -> outbox(address));
            if (closed || task.submitTo(outbox)) {
                return;
            }
            outboxes.remove(address.chat(), outbox); // it has just ended
        }
    }

    private ChatOutbox outbox(ConversationAddress address) {
        var rate = new ChatRateLimiter(botRate, connection.limits(address));
        return new ChatOutbox(
                connection,
                host,
                ledger,
                files,
                rate,
                meters,
                chats,
                outbox -> outboxes.remove(address.chat(), outbox));
    }

    @Override
    public void close() {
        closed = true;
        connection.close();
        outboxes.values().forEach(ChatOutbox::close);
        openTurns.close(config.name());
        meters.close();
    }
}
