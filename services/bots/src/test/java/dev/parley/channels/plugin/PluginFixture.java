package dev.parley.channels.plugin;

import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.HumanTasks;
import dev.parley.channels.contract.IncomingMessage;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.SentAnswers.SentAnswer;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.power.PowerGrants;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Bots of plug-ins, and an intake that writes down what it is given. */
public final class PluginFixture implements Intake, Rights, ChatState, BotAudience, AccountLinks {
    static final RecordKey KEY = new RecordKey("default", "desk:c");

    final List<IncomingMessage> messages = new ArrayList<>();
    final List<TurnCommand> commands = new ArrayList<>();
    final List<ConversationAddress> addresses = new ArrayList<>();
    static final UUID ACCOUNT = UUID.randomUUID();

    final List<String> answers = new ArrayList<>();
    final Map<String, SentAnswer> sent = new HashMap<>();
    final Map<String, Boolean> writable = new HashMap<>();
    final Map<String, String> seen = new HashMap<>();
    final Map<String, String> notes = new HashMap<>();
    final List<String> moved = new ArrayList<>();
    final List<String> reports = new ArrayList<>();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final PluginBots bots;
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    @Nullable
    UnavailableException unavailable;

    @Nullable
    String problem;

    Decision verdict = Decision.ALLOWED;

    @Nullable
    Capability needed;

    PluginFixture(Path folder) {
        var secrets = new Secrets(Map.of("TOKEN", "t0ken", "OTHER", "0ther"), Set.of("env:TOKEN", "env:OTHER"));
        var blobs = new BlobStore(folder, 1 << 20);
        bots = new PluginBots(
                secrets::get, this, new ContentReader(blobs), chats(secrets, blobs), PowerGrants.NONE, meters);
    }

    private ChatServices chats(Secrets secrets, BlobStore blobs) {
        return new ChatServices(
                secrets::get,
                this,
                this,
                this,
                this,
                blobs,
                (_, _) -> {
                    throw new AssertionError("nobody asks for agents");
                },
                () -> NO_TASKS,
                (bot, chat, message) -> Optional.ofNullable(sent.get(String.join("/", bot, chat, message))),
                (bot, report) -> reports.add(bot + " " + report.delivery()),
                meters);
    }

    /** Nobody has a question to answer. */
    public static final HumanTasks NO_TASKS = new HumanTasks() {
        @Override
        public Optional<TaskQuestion> find(ConversationAddress address, String message) {
            return Optional.empty();
        }

        @Override
        public Optional<TaskQuestion> find(ConversationAddress address, UUID task) {
            return Optional.empty();
        }

        @Override
        public List<TaskQuestion> open(ConversationAddress address) {
            return List.of();
        }

        @Override
        public void askAgain(ConversationAddress address, TaskQuestion question, String reference) {}

        @Override
        public AnswerResult answerWithOption(TaskQuestion question, Sender sender, String reference, int option) {
            return new AnswerResult.Over();
        }

        @Override
        public AnswerResult answerWithText(TaskQuestion question, Sender sender, String reference, String text) {
            return new AnswerResult.Over();
        }
    };

    static BotConfig bot(String kind, Map<String, String> settings) {
        return new BotConfig(
                "desk",
                kind,
                "env:TOKEN",
                URI.create("plugin:" + kind),
                "default",
                null,
                Set.of(),
                true,
                false,
                Groups.OFF,
                null,
                null,
                List.of(),
                false,
                settings.containsKey("signing") ? Map.of("signing", settings.get("signing")) : Map.of(),
                settings);
    }

    @Override
    public CompletableFuture<Outcome> submit(IncomingMessage message) throws UnavailableException {
        if (unavailable != null) {
            throw unavailable;
        }
        messages.add(message);
        return outcome;
    }

    @Override
    public void revise(IncomingMessage message, String revision) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Outcome> execute(
            ConversationAddress address,
            String channel,
            String reference,
            Sender sender,
            Function<CommandMeta, TurnCommand> command) {
        addresses.add(address);
        commands.add(command.apply(
                new CommandMeta(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH, sender.id(), null, null)));
        return Optional.ofNullable(outcome.getNow(null));
    }

    @Override
    public void reply(ConversationAddress address, String reference, String text, List<Choice> choices) {
        answers.add(text);
    }

    @Override
    public Verdict decide(BotConfig bot, Sender sender, Capability... capabilities) {
        needed = capabilities[0];
        return new Verdict(verdict, sender);
    }

    @Override
    public Optional<String> problem(BotConfig bot) {
        return Optional.ofNullable(problem);
    }

    @Override
    public void setWritable(ConversationAddress address, boolean isWritable) {
        writable.put(address.chat(), isWritable);
    }

    @Override
    public void movePerson(String bot, String from, String to) {
        moved.add("person " + bot + " " + from + " " + to);
    }

    @Override
    public Optional<String> lastSeenMessage(ConversationAddress address) {
        return Optional.ofNullable(seen.get(address.bot() + " " + address.chat()));
    }

    @Override
    public void recordNote(ConversationAddress address, String note) {
        notes.put(address.bot() + " " + address.chat(), note);
    }

    @Override
    public Optional<String> note(ConversationAddress address) {
        return Optional.ofNullable(notes.get(address.bot() + " " + address.chat()));
    }

    @Override
    public void moveChat(String bot, String from, String to) {
        moved.add(bot + " " + from + " " + to);
    }

    @Override
    public void recordSeen(ConversationAddress address, String message) {
        seen.put(address.bot() + " " + address.chat(), message);
    }

    @Override
    public Map<String, String> lastSeenMessages(String bot) {
        return seen;
    }

    @Override
    public boolean isAllowed(String bot, String user) {
        return false;
    }

    @Override
    public Optional<String> code(String bot, Sender person) {
        return Optional.empty();
    }

    @Override
    public void withdraw(String bot, Sender person) {}

    @Override
    public Optional<UUID> account(String bot, String user) {
        return Optional.empty();
    }

    @Override
    public Linked link(String bot, Sender sender, String code) {
        return code.equals("CODE") ? new Linked.Yes(ACCOUNT, "Ann") : new Linked.WrongCode();
    }

    @Override
    public void invalidate(String bot, Sender sender, String code) {}

    @Override
    public boolean unlink(String bot, String user) {
        return false;
    }
}
