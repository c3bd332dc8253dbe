package dev.parley.channels.chat;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.Tasks;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Todo;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.CancelTurn;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.TurnCommand.ListTodos;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.definitions.Catalogue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Commands of users to the bot itself. */
public record Commands(BotConfig bot, Intake intake, Catalogue catalogue, Tasks tasks) {
    /** Their names, as they are registered; {@code words*.properties} describe them. */
    public static final List<String> ALL = List.of(
            "help", "new", "stop", "undo", "forget", "status", "todo", "tasks", "model", "agents", "link", "unlink");

    private static final String MODEL = "model";
    private static final String FORGET = "forget";
    /** Confirms a forget, which is irreversible. */
    private static final String EVERYTHING = "everything";

    private static final Set<String> READING = Set.of("start", "help", "status", "todo", "tasks", "agents");

    /** A reply, with choices below it. */
    record Answer(String text, List<Choice> choices) {
        static Optional<Answer> of(String text) {
            return Optional.of(new Answer(text, List.of()));
        }
    }

    /** A command in its context. */
    record Asked(ConversationAddress address, Sender who, String reference, BotTexts words) {}

    public static boolean knows(String command) {
        return ALL.contains(command) || command.equals("start");
    }

    /** The capability that a command requires. */
    static Capability needs(String command, String rest) {
        boolean reads = READING.contains(command)
                || (command.equals(MODEL) && rest.isBlank())
                || (command.equals(FORGET) && !rest.strip().equalsIgnoreCase(EVERYTHING));
        boolean forgets = command.equals(FORGET) && !reads;
        return reads ? Capability.SESSION_READ : forgets ? Capability.MEMORY_WRITE : Capability.SESSION_SEND;
    }

    /** The additional capability that a choice requires; empty for none. */
    static Optional<Capability> needs(Choice choice) {
        if (choice.action().equals(FORGET)) {
            return Optional.of(Capability.MEMORY_WRITE);
        }
        return choice.action().equals(Choice.APPROVAL)
                ? answer(choice.value()).map(ApprovalAnswer::needs)
                : Optional.empty();
    }

    /**
     * Carries out a command, once per reference.
     *
     * @return the reply; empty where another message follows
     */
    Optional<Answer> carryOut(String command, String rest, Asked by) throws UnavailableException, InterruptedException {
        return switch (command) {
            case "start" -> Answer.of(by.words().say("hello"));
            case "help" ->
                Answer.of(ALL.stream()
                        .map(name ->
                                by.words().command(name) + " – " + by.words().say("command." + name))
                        .collect(Collectors.joining("\n")));
            case "new" -> begin(by);
            case "stop" -> stop(by);
            case "undo" -> undo(by);
            case FORGET -> forget(rest.strip(), by);
            case "status" -> status(by);
            case "todo" -> todos(by);
            case MODEL -> rest.isBlank() ? models(by) : choose(rest.strip(), by);
            case "agents" -> agents();
            case Choice.APPROVAL -> approve(rest, by);
            case "tasks" -> tasks(by);
            case Choice.TASK -> chosen(rest, by);
            default -> Optional.empty();
        };
    }

    private Optional<Outcome> ask(Asked by, Function<CommandMeta, TurnCommand> command)
            throws UnavailableException, InterruptedException {
        return intake.ask(by.address(), bot.kind(), by.reference(), by.who(), command);
    }

    private Optional<Answer> begin(Asked by) throws UnavailableException, InterruptedException {
        var outcome = ask(by, meta -> new ResetContext(meta, Reset.NEW, null));
        // Where there is no conversation yet, the next message begins one anyway.
        return isRefused(outcome, "unknown_session") ? Answer.of(by.words().say("new")) : done(outcome, "new", by);
    }

    private Optional<Answer> stop(Asked by) throws UnavailableException, InterruptedException {
        var outcome = ask(
                by, meta -> new CancelTurn(meta, null, "stopped by " + by.who().name()));
        if (isRefused(outcome, "no_active_turn") || isRefused(outcome, "unknown_session")) {
            return Answer.of(by.words().say("idle"));
        }
        // The end of the turn is sent as a reply.
        return isCarriedOut(outcome) ? Optional.empty() : done(outcome, "idle", by);
    }

    private Optional<Answer> undo(Asked by) throws UnavailableException, InterruptedException {
        var outcome = ask(by, meta -> new ResetContext(meta, Reset.UNDO, null));
        boolean nothing = isRefused(outcome, "nothing_to_undo") || isRefused(outcome, "unknown_session");
        return nothing ? Answer.of(by.words().say("nothing-to-undo")) : done(outcome, "undone", by);
    }

    private Optional<Answer> forget(String what, Asked by) throws UnavailableException, InterruptedException {
        if (!what.equalsIgnoreCase(EVERYTHING)) {
            var sure = new Choice(by.words().say("forget-everything"), FORGET, EVERYTHING);
            return Optional.of(new Answer(by.words().say("forget-sure", EVERYTHING), List.of(sure)));
        }
        var outcome = ask(by, meta -> new ResetContext(meta, Reset.FORGET, null));
        boolean nothing = isRefused(outcome, "no_memory") || isRefused(outcome, "unknown_session");
        return nothing ? Answer.of(by.words().say("nothing-to-forget")) : done(outcome, "forgotten", by);
    }

    private Optional<Answer> status(Asked by) {
        Agent agent = agent();
        return Answer.of(by.words()
                .say(
                        "status",
                        by.address().key(bot.project()).session(),
                        agent.name(),
                        agent.provider() + "/" + agent.model()));
    }

    private Optional<Answer> todos(Asked by) throws UnavailableException, InterruptedException {
        var outcome = ask(by, ListTodos::new);
        if (outcome.orElse(null) instanceof Outcome.TodosListed listed
                && !listed.todos().isEmpty()) {
            return Answer.of(listed.todos().stream().map(Commands::line).collect(Collectors.joining("\n")));
        }
        return done(outcome, "no-todos", by);
    }

    private static String line(Todo todo) {
        return switch (todo.status()) {
            case COMPLETED -> "✓ " + todo.content();
            case IN_PROGRESS -> "▸ " + todo.activeForm();
            case PENDING -> "○ " + todo.content();
        };
    }

    private Optional<Answer> models(Asked by) {
        var models = agent().models();
        var choices =
                models.stream().map(model -> new Choice(model, MODEL, model)).toList();
        String text = by.words().say("which-model") + "\n" + String.join("\n", models);
        return Optional.of(new Answer(text, models.size() > 1 ? choices : List.of()));
    }

    /** A model chosen with a button is checked like one that was typed. */
    private Optional<Answer> choose(String wanted, Asked by) throws UnavailableException, InterruptedException {
        Optional<String> model = Buttons.meant(wanted, agent().models());
        if (model.isEmpty()) {
            return Answer.of(by.words().say("unknown-model", wanted) + "\n" + String.join("\n", agent().models()));
        }
        var settings = new Settings(model.get(), null, null, null, null, Map.of());
        var opening = new Asked(by.address(), by.who(), by.reference() + " open", by.words());
        var opened = ask(opening, meta -> change(meta, Change.OPEN, settings, by.address()));
        var outcome = isRefused(opened, "session_exists")
                ? ask(by, meta -> change(meta, Change.CONFIGURE, settings, by.address()))
                : opened;
        return done(outcome, "model-chosen", by, model.get());
    }

    private TurnCommand change(CommandMeta meta, Change change, Settings settings, ConversationAddress address) {
        return new ChangeSession(meta, change, null, bot.agent(), settings, bot.kind(), address.channelId());
    }

    /** The data of buttons is signed, so the approval was requested. The reply names who decided. */
    private Optional<Answer> approve(String choice, Asked by) throws UnavailableException, InterruptedException {
        Optional<ApprovalAnswer> answer = answer(choice);
        if (answer.isEmpty()) {
            return Answer.of(by.words().say("old-button"));
        }
        UUID approval = UUID.fromString(choice.substring(2));
        var outcome = ask(by, meta -> new DecideApproval(meta, approval, answer.get()));
        String said = "approval-" + answer.get().name().toLowerCase(Locale.ROOT);
        return isRefused(outcome, "unknown_approval")
                ? Answer.of(by.words().say("approval-over"))
                : done(outcome, said, by, by.who().name());
    }

    private static Optional<ApprovalAnswer> answer(String choice) {
        return Arrays.stream(ApprovalAnswer.values())
                .filter(one -> choice.startsWith(one.name().charAt(0) + " "))
                .findFirst();
    }

    // ---- human tasks

    private Optional<Answer> tasks(Asked by) throws UnavailableException, InterruptedException {
        List<Tasks.Asked> open = tasks.open(by.address());
        for (Tasks.Asked asked : open) {
            tasks.again(by.address(), asked, by.reference());
        }
        return open.isEmpty() ? Answer.of(by.words().say("no-tasks")) : Optional.empty();
    }

    private Optional<Answer> chosen(String choice, Asked by) throws UnavailableException, InterruptedException {
        int space = choice.indexOf(' ');
        UUID task = UUID.fromString(choice.substring(0, space));
        int option = Integer.parseInt(choice.substring(space + 1));
        Optional<Tasks.Asked> asked = tasks.asked(by.address(), task);
        return asked.isEmpty()
                ? Answer.of(by.words().say("task-over"))
                : told(tasks.choose(asked.get(), by.who(), by.reference(), option), asked.get(), by);
    }

    /** Handles a reply to the message of a human task; empty where the message is none. */
    Optional<Answer> answer(String message, String text, Asked by) throws UnavailableException, InterruptedException {
        Optional<Tasks.Asked> asked = tasks.asked(by.address(), message);
        return asked.isEmpty()
                ? Optional.empty()
                : told(tasks.say(asked.get(), by.who(), by.reference(), text), asked.get(), by);
    }

    private Optional<Answer> told(Tasks.Answered answered, Tasks.Asked asked, Asked by)
            throws UnavailableException, InterruptedException {
        if (answered instanceof Tasks.Answered.Invalid) {
            tasks.again(by.address(), asked, by.reference());
        }
        return Answer.of(
                switch (answered) {
                    case Tasks.Answered.Taken _ -> by.words().say("task-taken");
                    case Tasks.Answered.Invalid invalid -> by.words().say("task-invalid", invalid.why());
                    case Tasks.Answered.Refused refused -> by.words().say("no-work", refused.why());
                    case Tasks.Answered.Over _ -> by.words().say("task-over");
                    case Tasks.Answered.Forbidden _ -> by.words().say("task-forbidden");
                    case Tasks.Answered.Late _ -> by.words().say("late");
                });
    }

    private Optional<Answer> agents() {
        return Answer.of(definitions().agents().stream()
                .filter(agent -> agent.isPrimary() && !agent.hidden())
                .map(agent -> agent.name() + (agent.description().isEmpty() ? "" : " – " + agent.description()))
                .collect(Collectors.joining("\n")));
    }

    private Definitions definitions() {
        return catalogue.in(AccessDirectory.DEFAULT_HOST, RecordKey.projectId(bot.project()));
    }

    private Agent agent() {
        String name = bot.agent() == null ? Agent.DEFAULT : bot.agent();
        return definitions().agent(name).orElseGet(() -> Agent.of(name, "unknown", "unknown", ""));
    }

    private static boolean isRefused(Optional<Outcome> outcome, String code) {
        return outcome.orElse(null) instanceof Outcome.Refused no && no.code().equals(code);
    }

    private static boolean isCarriedOut(Optional<Outcome> outcome) {
        return outcome.isPresent() && !(outcome.get() instanceof Outcome.Refused);
    }

    /** The text for success, or why the command had no effect. */
    private static Optional<Answer> done(Optional<Outcome> outcome, String words, Asked by, Object... with) {
        return Answer.of(
                isCarriedOut(outcome)
                        ? by.words().say(words, with)
                        : outcome.orElse(null) instanceof Outcome.Refused no
                                ? by.words().say("no-work", no.message())
                                : by.words().say("late"));
    }
}
