package dev.parley.channels.bots.people;

import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * State of chats: whether the bot can write to them, and the chat id in their session keys. A chat whose id changes
 * (a group that becomes a supergroup) keeps its sessions.
 */
public final class Chats implements ChatState {
    /** Lifetime of cached values, because another instance may change a chat. */
    private static final Duration CACHE_TTL = Duration.ofSeconds(30);

    private static final int MAX_CACHED = 100_000;
    private static final int MAX_SEEN = 1_000;

    private final Database database;
    private final ChatRows rows;
    private final UUID host;
    private final ExpiringCache<Optional<String>> cache = new ExpiringCache<>(MAX_CACHED, CACHE_TTL);

    public Chats(Database database, ChatRows rows, UUID host) {
        this.database = database;
        this.rows = rows;
        this.host = host;
    }

    /** The address in the keys of its sessions. */
    public ConversationAddress session(ConversationAddress address) {
        String first = sessionChat(address.bot(), address.chat());
        return first == null ? address : new ConversationAddress(address.bot(), first, address.topic());
    }

    private @Nullable String sessionChat(String bot, String chat) {
        return readCached(
                "first",
                bot,
                chat,
                () -> rows.findByHostIdAndBotAndChat(host, bot, chat).map(Chat::sessionChat));
    }

    private @Nullable String readCached(String attribute, String bot, String chat, Supplier<Optional<String>> read) {
        return cache.get(name(attribute, bot, chat), () -> database.in(Tenant.of(host), read))
                .orElse(null);
    }

    private static String name(String attribute, String bot, String chat) {
        return attribute + " " + bot + " " + chat;
    }

    /** The current address of a session. */
    public ConversationAddress now(ConversationAddress session) {
        String chat = readCached(
                "now",
                session.bot(),
                session.chat(),
                () -> rows.now(host, session.bot(), session.chat()).map(Chat::chat));
        return chat == null ? session : new ConversationAddress(session.bot(), chat, session.topic());
    }

    /** Whether the bot may write to the chat, as far as is known. */
    public boolean isWritable(ConversationAddress address) {
        String found = readCached(
                "writable",
                address.bot(),
                address.chat(),
                () -> rows.findByHostIdAndBotAndChat(host, address.bot(), address.chat())
                        .map(chat -> Boolean.toString(chat.writable())));
        return found == null || Boolean.parseBoolean(found);
    }

    @Override
    public void moveChat(String bot, String from, String to) {
        String first = sessionChat(bot, from);
        change(() -> rows.setSessionChat(host, bot, to, first == null ? from : first));
        cache.clear();
    }

    @Override
    public void setWritable(ConversationAddress address, boolean writable) {
        change(() -> rows.setWritable(host, address.bot(), address.chat(), writable));
        cache.remove(name("writable", address.bot(), address.chat()));
    }

    @Override
    public void recordSeen(ConversationAddress address, String message) {
        change(() -> rows.setSeen(host, address.bot(), address.chat(), message));
    }

    @Override
    public void movePerson(String bot, String from, String to) {
        change(() -> {
            rows.moveAdmission(host, bot, from, to);
            rows.moveLink(host, bot, from, to);
        });
    }

    @Override
    public Optional<String> lastSeenMessage(ConversationAddress address) {
        return database.in(Tenant.of(host), () -> rows.findByHostIdAndBotAndChat(host, address.bot(), address.chat()))
                .map(Chat::seen);
    }

    @Override
    public void recordNote(ConversationAddress address, String note) {
        change(() -> rows.setNote(host, address.bot(), address.chat(), note));
    }

    @Override
    public Optional<String> note(ConversationAddress address) {
        return database.in(Tenant.of(host), () -> rows.findByHostIdAndBotAndChat(host, address.bot(), address.chat()))
                .map(Chat::note);
    }

    @Override
    public Map<String, String> lastSeenMessages(String bot) {
        return database.in(Tenant.of(host), () -> rows.seen(host, bot, MAX_SEEN)).stream()
                .collect(Collectors.toMap(Chat::chat, chat -> String.valueOf(chat.seen())));
    }

    private void change(Runnable change) {
        database.in(Tenant.of(host), () -> {
            change.run();
        });
    }
}
