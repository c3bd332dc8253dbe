package dev.parley.channels.testing;

import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.chat.ChatNotes;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.chat.SeenMessages;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.InboundMessage;
import dev.parley.channels.contract.Taken;
import dev.parley.domain.protocol.Choice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The chats of a bot: all people are admitted, and each message that is for the bot is a turn. */
final class InMemoryChats implements BotChats {
    private static final int LARGEST_FILE = 20 << 20;

    private final InMemoryParley parley;
    private final BotSettings settings;
    private final ChatSide side;
    private final Buttons buttons;

    InMemoryChats(InMemoryParley parley, BotSettings settings, ChatSide side) {
        this.parley = parley;
        this.settings = settings;
        this.side = side;
        this.buttons = new Buttons(settings.name(), settings::token);
    }

    @Override
    public Taken handle(List<Received> events) throws InterruptedException {
        Taken result = new Taken.Safe();
        for (Received received : events) {
            Taken taken = parley.takesNothing() ? new Taken.NotSafe("away") : handle(received);
            if (taken instanceof Taken.NotSafe) {
                return taken;
            }
            result = taken instanceof Taken.Refused ? taken : result;
        }
        return result;
    }

    private Taken handle(Received received) throws InterruptedException {
        Event event = received.event();
        parley.happened(event);
        switch (event) {
            case ChatMessage message -> {
                return message(message, received.reference());
            }
            case ButtonPress press -> press(press);
            case Event.FormAnswer answer -> form(answer);
            case Event.Feedback _,
                    Event.Stop _,
                    Event.Deleted _,
                    Event.Membership _,
                    Event.Migrated _,
                    Event.Other _ -> {
                // remembered as an event
            }
        }
        return new Taken.Safe();
    }

    private Taken message(ChatMessage message, String reference) throws InterruptedException {
        if (message.bot() || message.edited() || message.command() != null || !isAddressed(message)) {
            return new Taken.Safe();
        }
        var files = new ArrayList<InboundMessage.Attachment>();
        for (Event.Attachment file : message.attachments()) {
            try {
                byte[] bytes = side.bytes(file, LARGEST_FILE);
                files.add(new InboundMessage.Attachment(file.name(), file.mimeType(), bytes));
            } catch (NotThereException e) {
                return new Taken.NotSafe("a file is not there: " + e.getMessage());
            }
        }
        return parley.take(message.address(), reference, message.author(), message.text(), files, !message.privately());
    }

    private void press(ButtonPress press) throws InterruptedException {
        if (!parley.isValid(press.address(), press.message(), press.author())) {
            return;
        }
        Optional<Choice> choice = buttons.read(press.address().chat(), press.data());
        if (choice.isEmpty()) {
            side.acknowledge(press, "This button is too old.");
        } else if (choice.get().action().equals(Choice.FORM)) {
            if (!side.showForm(
                    press, InMemoryParley.FORM, buttons.data(press.address().chat(), choice.get()))) {
                side.acknowledge(press, "Please answer in words.");
            }
        } else {
            parley.chose(press.query(), choice.get());
            side.acknowledge(press, "");
            side.replaceMessage(press, "You chose " + choice.get().value());
        }
    }

    private void form(Event.FormAnswer answer) {
        boolean isShown = buttons.read(answer.address().chat(), answer.data())
                .filter(choice -> choice.action().equals(Choice.FORM))
                .isPresent();
        if (isShown && parley.isValid(answer.address(), answer.query(), answer.author())) {
            parley.answered(answer);
        }
    }

    /** Also what Parley's readers cannot read has no effect. */
    @Override
    public Event read(Supplier<Event> payload) {
        try {
            return payload.get();
        } catch (RuntimeException e) {
            return new Event.Other("unreadable");
        }
    }

    @Override
    public boolean isAddressed(ChatMessage message) {
        return message.privately()
                || (settings.groups() != Groups.OFF && (message.addressed() || settings.groups() == Groups.ALL));
    }

    @Override
    public void move(String from, String to) {
        parley.mustBeThere();
    }

    @Override
    public SeenMessages seen() {
        return new SeenMessages() {
            @Override
            public void record(String chat, String message) {
                parley.mustBeThere();
                parley.lastMessages.put(chat, message);
            }

            @Override
            public Optional<String> last(String chat) {
                parley.mustBeThere();
                return Optional.ofNullable(parley.lastMessages.get(chat));
            }

            @Override
            public Map<String, String> last() {
                parley.mustBeThere();
                return Map.copyOf(parley.lastMessages);
            }
        };
    }

    @Override
    public ChatNotes notes() {
        return new ChatNotes() {
            @Override
            public void write(String chat, String note) {
                parley.mustBeThere();
                parley.notes.put(chat, note);
            }

            @Override
            public Optional<String> read(String chat) {
                parley.mustBeThere();
                return Optional.ofNullable(parley.notes.get(chat));
            }
        };
    }

    @Override
    public Buttons buttons() {
        return buttons;
    }
}
