package dev.parley.channels.plugin;

import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.chat.ChatHandler;
import dev.parley.channels.chat.ChatNotes;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Feedback;
import dev.parley.channels.chat.SeenMessages;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Taken;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.http.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The chats of a bot: each event is checked as messages are, and then handled. */
final class PluginChats implements BotChats {
    private static final int MAX_NOTE = 1_000;

    private final BotConfig bot;
    private final ChatSide side;
    private final ChatHandler handler;
    private final ChatState state;
    private final Buttons buttons;

    PluginChats(BotConfig bot, ChatServices services, Intake intake, ChatSide side) {
        this.bot = bot;
        this.side = side;
        this.handler = new ChatHandler(bot, services, intake, side);
        this.state = services.chatState();
        this.buttons = services.buttons(bot);
    }

    @Override
    public Buttons buttons() {
        return buttons;
    }

    @Override
    public Event read(Supplier<Event> payload) {
        return handler.read(payload);
    }

    @Override
    public boolean isAddressed(ChatMessage message) {
        return handler.isAddressed(message);
    }

    @Override
    public Taken handle(List<Received> events) throws InterruptedException {
        return PluginBot.result(() -> {
            handler.requireReady();
            var known = new ArrayList<Received>();
            Taken taken = new Taken.Safe();
            for (Received received : events) {
                handler.count(received.event(), side.kind(received.event()));
                try {
                    known.add(new Received(check(received), received.reference(), received.revision()));
                } catch (ApiException e) {
                    handler.skip(received.reference(), e);
                    taken = new Taken.Refused(e.code(), e.getMessage());
                }
            }
            handler.prefetched(albums(known), () -> handleAll(known));
            return taken;
        });
    }

    /** The event of people without the accounts that a channel may name. */
    private Event check(Received received) {
        return switch (received.event()) {
            case ChatMessage message -> {
                PluginBot.check(bot, message.address(), received.reference());
                yield message.withAuthor(PluginBot.normalizeSender(message.author()));
            }
            case ButtonPress press -> {
                PluginBot.check(bot, press.address(), received.reference());
                yield press.withAuthor(PluginBot.normalizeSender(press.author()), press.language());
            }
            case Feedback feedback -> {
                PluginBot.check(bot, feedback.address(), received.reference());
                yield feedback.withAuthor(PluginBot.normalizeSender(feedback.author()));
            }
            case Event.Stop stop -> {
                PluginBot.check(bot, stop.address(), received.reference());
                yield stop.withAuthor(PluginBot.normalizeSender(stop.author()));
            }
            case Event.Membership change -> {
                PluginBot.check(bot, change.address(), received.reference());
                yield change;
            }
            case Event.Migrated moved -> {
                PluginBot.check(bot, chat(moved.from()), received.reference());
                PluginBot.check(bot, chat(moved.to()), received.reference());
                yield moved;
            }
            case Event.Other other -> other;
        };
    }

    private ConversationAddress chat(String chat) {
        return new ConversationAddress(bot.name(), chat, null);
    }

    /** The messages of albums of which several parts have come. */
    private static List<ChatMessage> albums(List<Received> events) {
        return events.size() < 2
                ? List.of()
                : events.stream()
                        .flatMap(received -> received.event() instanceof ChatMessage message && message.album() != null
                                ? Stream.of(message)
                                : Stream.of())
                        .toList();
    }

    private void handleAll(List<Received> events) throws UnavailableException, InterruptedException {
        for (Received received : events) {
            handler.handleOrSkip(received.reference(), () -> handle(received));
        }
    }

    private void handle(Received received) throws UnavailableException, InterruptedException {
        switch (received.event()) {
            case ChatMessage message -> handler.handle(message, received.reference(), received.revision());
            case ButtonPress press -> handler.handle(press, received.reference());
            case Feedback feedback -> handler.handle(feedback, received.reference());
            case Event.Stop stop -> handler.handle(stop, received.reference());
            case Event.Membership change -> state.setWritable(change.address(), change.canWrite());
            case Event.Migrated moved -> {
                state.moveChat(bot.name(), moved.from(), moved.to());
                if (moved.person()) {
                    state.movePerson(bot.name(), moved.from(), moved.to());
                }
            }
            case Event.Other _ -> {
                // counted
            }
        }
    }

    @Override
    public void move(String from, String to) {
        PluginBot.check(bot, chat(from), from);
        PluginBot.check(bot, chat(to), to);
        state.moveChat(bot.name(), from, to);
    }

    @Override
    public SeenMessages seen() {
        return new SeenMessages() {
            @Override
            public void record(String chat, String message) {
                PluginBot.check(bot, chat(chat), message);
                state.recordSeen(chat(chat), message);
            }

            @Override
            public Optional<String> last(String chat) {
                PluginBot.check(bot, chat(chat), chat);
                return state.lastSeenMessage(chat(chat));
            }

            @Override
            public Map<String, String> last() {
                return state.lastSeenMessages(bot.name());
            }
        };
    }

    @Override
    public ChatNotes notes() {
        return new ChatNotes() {
            @Override
            public void write(String chat, String note) {
                ConversationAddress address = checked(chat);
                if (note.isEmpty() || note.length() > MAX_NOTE) {
                    throw new IllegalArgumentException("a note has 1 to " + MAX_NOTE + " characters");
                }
                state.recordNote(address, note);
            }

            @Override
            public Optional<String> read(String chat) {
                return state.note(checked(chat));
            }

            private ConversationAddress checked(String chat) {
                PluginBot.check(bot, chat(chat), "note");
                return chat(chat);
            }
        };
    }
}
