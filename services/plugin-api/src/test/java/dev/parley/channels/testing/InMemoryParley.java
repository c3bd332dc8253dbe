package dev.parley.channels.testing;

import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.DeliveryReport;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.InboundMessage;
import dev.parley.channels.contract.MenuCommand;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.Taken;
import dev.parley.domain.protocol.Choice;
import dev.parley.platform.http.AddressGuard;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Parley in memory, for tests of one bot: it takes what a channel hands over as Parley does, each message once, and
 * remembers it. Everybody is admitted. Thread-safe.
 */
public final class InMemoryParley {
    /** The form that the choice {@link Choice#FORM} opens. */
    public static final ChatForm FORM = new ChatForm(
            "Leave",
            "How long, and why?",
            "Send",
            List.of(
                    field("reason", ChatForm.Kind.TEXT, List.of()),
                    field("days", ChatForm.Kind.INTEGER, List.of()),
                    field("paid", ChatForm.Kind.YES_NO, List.of()),
                    field(
                            "kind",
                            ChatForm.Kind.CHOICE,
                            List.of(
                                    new ChatForm.Option("rest", "Rest"),
                                    new ChatForm.Option("move", "Moving house")))));

    private final BotSettings settings;
    private final Bot bot = new Bot();
    private final Map<String, Turn> turns = new LinkedHashMap<>();
    final Map<String, String> notes = new ConcurrentHashMap<>();
    final Map<String, String> lastMessages = new ConcurrentHashMap<>();
    private final Map<String, Choice> choices = new LinkedHashMap<>();
    private final List<Event.FormAnswer> forms = new CopyOnWriteArrayList<>();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final List<DeliveryReport> reports = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean away;
    private volatile boolean refusing;

    /**
     * A message that was taken.
     *
     * @param text its texts, one in each line
     * @param shared whether others can read the conversation
     */
    public record Turn(
            UUID id,
            ConversationAddress address,
            String reference,
            Sender sender,
            String text,
            List<InboundMessage.Attachment> files,
            boolean shared) {
        public Turn {
            files = List.copyOf(files);
        }
    }

    public InMemoryParley(BotSettings settings) {
        this.settings = settings;
    }

    private static ChatForm.Field field(String name, ChatForm.Kind kind, List<ChatForm.Option> choices) {
        return new ChatForm.Field(name, name, "", kind, choices, false, List.of(), ChatForm.Bounds.NONE);
    }

    /** The bot, for {@link dev.parley.channels.contract.ChannelPlugin#connect}. */
    public ChannelBot bot() {
        return bot;
    }

    /** Stores nothing from now on, or stores again. */
    public void isAway(boolean isAway) {
        away = isAway;
    }

    /** Refuses each message from now on, or takes messages again. */
    public void refuses(boolean isRefusing) {
        refusing = isRefusing;
    }

    /** How often the channel has asked for something to be stored or read. */
    public int calls() {
        return calls.get();
    }

    /** The messages that were taken, each once, in order. */
    public synchronized List<Turn> turns() {
        return List.copyOf(turns.values());
    }

    /** The choices that people made by buttons, each press once. */
    public synchronized List<Choice> choices() {
        return List.copyOf(choices.values());
    }

    /** The answers to forms that Parley showed. */
    public List<Event.FormAnswer> forms() {
        return List.copyOf(forms);
    }

    /** All events of chats that were handed over and stored, however often. */
    public List<Event> events() {
        return List.copyOf(events);
    }

    /** What became of messages, as the channel reports it. */
    public List<DeliveryReport> reports() {
        return List.copyOf(reports);
    }

    /** What the channel must not have handed over, such as invalid references. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    // ---- what the bot and its chats share

    boolean takesNothing() {
        calls.incrementAndGet();
        return away;
    }

    void mustBeThere() {
        if (takesNothing()) {
            throw new IllegalStateException("the database does not answer");
        }
    }

    void happened(Event event) {
        events.add(event);
    }

    void answered(Event.FormAnswer answer) {
        if (forms.stream().noneMatch(form -> form.query().equals(answer.query()))) {
            forms.add(answer);
        }
    }

    synchronized void chose(String query, Choice choice) {
        choices.putIfAbsent(query, choice);
    }

    Taken take(
            ConversationAddress address,
            String reference,
            Sender sender,
            String text,
            List<InboundMessage.Attachment> files,
            boolean shared) {
        if (!isValid(address, reference, sender)) {
            return new Taken.Refused("invalid_field", "a name is invalid");
        }
        if (refusing) {
            return new Taken.Refused("not_allowed", "not for you");
        }
        String key = address.channelId() + " " + reference;
        UUID id = UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
        synchronized (this) {
            turns.putIfAbsent(key, new Turn(id, address, reference, sender, text, files, shared));
        }
        return new Taken.Safe(id, false);
    }

    /** Whether Parley takes these names; otherwise it is remembered as a violation. */
    boolean isValid(ConversationAddress address, String reference, Sender sender) {
        boolean isValid = address.bot().equals(settings.name())
                && isName(address.chat())
                && (address.topic() == null || isName(address.topic()))
                && isReference(reference)
                && isReference(sender.id());
        if (!isValid) {
            violations.add("invalid: %s %s %s".formatted(address, reference, sender));
        }
        return isValid;
    }

    private static boolean isName(@Nullable String text) {
        return text != null && ConversationAddress.NAME.matcher(text).matches();
    }

    private static boolean isReference(String text) {
        return InboundMessage.REFERENCE.matcher(text).matches();
    }

    /** The bot as the channel sees it. */
    private final class Bot implements ChannelBot {
        @Override
        public Taken take(InboundMessage message) {
            if (takesNothing()) {
                return new Taken.NotSafe("away");
            }
            String text = message.content().stream()
                    .map(part -> part instanceof InboundMessage.Text words ? words.text() : null)
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining("\n"));
            var files = new ArrayList<InboundMessage.Attachment>();
            message.content().forEach(part -> {
                if (part instanceof InboundMessage.Attachment file) {
                    files.add(file);
                }
            });
            return InMemoryParley.this.take(
                    message.address(), message.reference(), message.sender(), text, files, message.shared());
        }

        @Override
        public Taken command(ConversationAddress address, String reference, Sender sender, Command command) {
            return takesNothing() ? new Taken.NotSafe("away") : new Taken.Safe();
        }

        @Override
        public Taken answer(ConversationAddress address, String reference, String text) {
            return takesNothing() ? new Taken.NotSafe("away") : new Taken.Safe();
        }

        @Override
        public Taken report(DeliveryReport report) {
            if (takesNothing()) {
                return new Taken.NotSafe("away");
            }
            reports.add(report);
            return new Taken.Safe();
        }

        @Override
        public BotChats chats(ChatSide side) {
            return new InMemoryChats(InMemoryParley.this, settings, side);
        }

        @Override
        public Optional<String> problem() {
            return Optional.empty();
        }

        @Override
        public String name() {
            return settings.name();
        }

        @Override
        public Map<String, String> settings() {
            return settings.settings();
        }

        @Override
        public URI api() {
            return settings.api();
        }

        @Override
        public AddressGuard guard() {
            return AddressGuard.ofOperators();
        }

        @Override
        public boolean streams() {
            return settings.streams();
        }

        @Override
        public Groups groups() {
            return settings.groups();
        }

        @Override
        public Set<String> allowedUsers() {
            return Set.of();
        }

        @Override
        public Optional<URI> publicUrl() {
            return Optional.empty();
        }

        @Override
        public boolean accepts(String client) {
            return true;
        }

        @Override
        public List<MenuCommand> commands() {
            return List.of();
        }

        @Override
        public String token() {
            return settings.token();
        }

        @Override
        public String secret(String setting) {
            String secret = settings.secrets().get(setting);
            if (secret == null) {
                throw new MissingSecretException("there is no secret '" + setting + "'");
            }
            return secret;
        }

        @Override
        public Optional<String> reference(String setting) {
            boolean isKnown = setting.equals("token") || settings.secrets().containsKey(setting);
            return isKnown ? Optional.of("test:" + setting) : Optional.empty();
        }
    }
}
