package dev.parley.channels.chat;

import dev.parley.channels.contract.BotCommands;
import dev.parley.channels.contract.ChannelBot.Command;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.HumanTasks;
import dev.parley.channels.contract.HumanTasks.AnswerResult;
import dev.parley.channels.contract.HumanTasks.TaskQuestion;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.MenuCommand;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.Ids;
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
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.TurnCommand.ListTodos;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.definitions.DefinitionCatalogue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Commands of users to the bot itself. */
public record ChatCommands(BotConfig bot, Intake intake, DefinitionCatalogue catalogue, HumanTasks tasks) {
    /** Their names, as they are registered; {@code words*.properties} describe them. */
    public static final List<String> ALL = List.of(
            "help",
            "new",
            "stop",
            "undo",
            "forget",
            "status",
            "todo",
            ReminderCommands.NAME,
            HandoffCommands.NAME,
            "tasks",
            "model",
            "agents",
            "link",
            "unlink");

    private static final String MODEL = "model";
    private static final String FORGET = "forget";
    /** Confirms a forget, which is irreversible. */
    private static final String EVERYTHING = "everything";

    private static final Set<String> READING = Set.of("start", "help", "status", "todo", "tasks", "agents");

    /**
     * A reply, with choices below it.
     *
     * @param privately whether it is for the sender alone, and changes nothing for others
     */
    record CommandReply(String text, List<Choice> choices, boolean privately) {
        CommandReply(String text, List<Choice> choices) {
            this(text, choices, false);
        }

        static Optional<CommandReply> of(String text) {
            return Optional.of(new CommandReply(text, List.of()));
        }
    }

    /** The sender and the conversation of a command. */
    record Context(ConversationAddress address, Sender sender, String reference, BotTexts texts) {}

    /** The commands with their descriptions, for menus. */
    public static List<MenuCommand> menu() {
        return ALL.stream().map(ChatCommands::described).toList();
    }

    private static MenuCommand described(String name) {
        return new MenuCommand(
                name,
                Stream.concat(Stream.of(""), BotTexts.LANGUAGES.stream())
                        .collect(Collectors.toMap(
                                language -> language,
                                language -> BotTexts.in(language).format("command." + name))),
                isAlone(name));
    }

    /** Whether the answer to a command concerns the sender alone, and changes nothing for others. */
    static boolean isAlone(String command) {
        return command.equals("help");
    }

    static boolean knows(String command) {
        return ALL.contains(command) || command.equals("start");
    }

    /** The capability that a command requires. */
    static Capability needs(String command, String argument) {
        boolean reads = READING.contains(command)
                || (command.equals(MODEL) && argument.isBlank())
                || (command.equals(ReminderCommands.NAME) && argument.isBlank())
                || (command.equals(FORGET) && !argument.strip().equalsIgnoreCase(EVERYTHING));
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
     * Executes a command, once per reference.
     *
     * @return the reply; empty where another message follows
     */
    Optional<CommandReply> execute(String command, String argument, Context context)
            throws UnavailableException, InterruptedException {
        return switch (command) {
            case "start" -> CommandReply.of(context.texts().format("hello"));
            case "help" ->
                CommandReply.of(ALL.stream()
                        .map(name -> context.texts().command(name) + " – "
                                + context.texts().format("command." + name))
                        .collect(Collectors.joining("\n")));
            case "new" -> begin(context);
            case "stop" -> stop(context);
            case "undo" -> undo(context);
            case FORGET -> forget(argument.strip(), context);
            case "status" -> status(context);
            case "todo" -> todos(context);
            case ReminderCommands.NAME -> new ReminderCommands(bot, intake).execute(argument.strip(), context);
            case HandoffCommands.NAME -> new HandoffCommands(bot, intake).execute(argument.strip(), context);
            case ReminderCommands.CANCEL -> new ReminderCommands(bot, intake).cancel(argument, context);
            case MODEL -> argument.isBlank() ? models(context) : chooseModel(argument.strip(), context);
            case "agents" -> agents();
            case Choice.APPROVAL -> approve(argument, context);
            case "tasks" -> tasks(context);
            case Choice.TASK -> chooseOption(argument, context);
            default -> Optional.empty();
        };
    }

    private Optional<Outcome> submit(Context context, Function<CommandMeta, TurnCommand> command)
            throws UnavailableException, InterruptedException {
        return intake.execute(context.address(), bot.kind(), context.reference(), context.sender(), command);
    }

    private Optional<Outcome> submit(Context context, Command command)
            throws UnavailableException, InterruptedException {
        return submit(context, BotCommands.sessionCommand(command, context.sender()));
    }

    private Optional<CommandReply> begin(Context context) throws UnavailableException, InterruptedException {
        var outcome = submit(context, Command.NEW);
        // Without a conversation, the next message starts one.
        return isRefused(outcome, "unknown_session")
                ? CommandReply.of(context.texts().format("new"))
                : outcomeReply(outcome, "new", context);
    }

    private Optional<CommandReply> stop(Context context) throws UnavailableException, InterruptedException {
        var outcome = submit(context, Command.STOP);
        if (isRefused(outcome, "no_active_turn") || isRefused(outcome, "unknown_session")) {
            return CommandReply.of(context.texts().format("idle"));
        }
        // The end of the turn is sent as a reply.
        return isExecuted(outcome) ? Optional.empty() : outcomeReply(outcome, "idle", context);
    }

    private Optional<CommandReply> undo(Context context) throws UnavailableException, InterruptedException {
        var outcome = submit(context, Command.UNDO);
        boolean isNoOp = isRefused(outcome, "nothing_to_undo") || isRefused(outcome, "unknown_session");
        return isNoOp
                ? CommandReply.of(context.texts().format("nothing-to-undo"))
                : outcomeReply(outcome, "undone", context);
    }

    private Optional<CommandReply> forget(String scope, Context context)
            throws UnavailableException, InterruptedException {
        if (!scope.equalsIgnoreCase(EVERYTHING)) {
            var sure = new Choice(context.texts().format("forget-everything"), FORGET, EVERYTHING);
            return Optional.of(new CommandReply(context.texts().format("forget-sure", EVERYTHING), List.of(sure)));
        }
        var outcome = submit(context, Command.FORGET);
        boolean isNoOp = isRefused(outcome, "no_memory") || isRefused(outcome, "unknown_session");
        return isNoOp
                ? CommandReply.of(context.texts().format("nothing-to-forget"))
                : outcomeReply(outcome, "forgotten", context);
    }

    private Optional<CommandReply> status(Context context) {
        Agent agent = agent();
        return CommandReply.of(context.texts()
                .format(
                        "status",
                        context.address().key(bot.project()).session(),
                        agent.name(),
                        agent.provider() + "/" + agent.model()));
    }

    private Optional<CommandReply> todos(Context context) throws UnavailableException, InterruptedException {
        var outcome = submit(context, ListTodos::new);
        if (outcome.orElse(null) instanceof Outcome.TodosListed listed
                && !listed.todos().isEmpty()) {
            return CommandReply.of(
                    listed.todos().stream().map(ChatCommands::line).collect(Collectors.joining("\n")));
        }
        return outcomeReply(outcome, "no-todos", context);
    }

    private static String line(Todo todo) {
        return switch (todo.status()) {
            case COMPLETED -> "✓ " + todo.content();
            case IN_PROGRESS -> "▸ " + todo.activeForm();
            case PENDING -> "○ " + todo.content();
        };
    }

    private Optional<CommandReply> models(Context context) {
        var models = agent().models();
        var choices =
                models.stream().map(model -> new Choice(model, MODEL, model)).toList();
        String text = context.texts().format("which-model") + "\n" + String.join("\n", models);
        return Optional.of(new CommandReply(text, models.size() > 1 ? choices : List.of()));
    }

    /** A model chosen with a button is checked like one that was typed. */
    private Optional<CommandReply> chooseModel(String name, Context context)
            throws UnavailableException, InterruptedException {
        Optional<String> model = Buttons.resolve(name, agent().models());
        if (model.isEmpty()) {
            return CommandReply.of(
                    context.texts().format("unknown-model", name) + "\n" + String.join("\n", agent().models()));
        }
        var settings = new Settings(model.get(), null, null, null, null, Map.of());
        var opening = new Context(context.address(), context.sender(), context.reference() + " open", context.texts());
        var opened = submit(opening, meta -> change(meta, Change.OPEN, settings, context.address()));
        var outcome = isRefused(opened, "session_exists")
                ? submit(context, meta -> change(meta, Change.CONFIGURE, settings, context.address()))
                : opened;
        return outcomeReply(outcome, "model-chosen", context, model.get());
    }

    private TurnCommand change(CommandMeta meta, Change change, Settings settings, ConversationAddress address) {
        return new ChangeSession(meta, change, null, bot.agent(), settings, bot.kind(), address.channelId());
    }

    /** The data of buttons is signed, so the approval was requested. The reply names who decided. */
    private Optional<CommandReply> approve(String choice, Context context)
            throws UnavailableException, InterruptedException {
        Optional<ApprovalAnswer> answer = answer(choice);
        if (answer.isEmpty()) {
            return CommandReply.of(context.texts().format("old-button"));
        }
        UUID approval = Ids.parse(choice.substring(2));
        var outcome = submit(context, meta -> new DecideApproval(meta, approval, answer.get()));
        String text = "approval-" + answer.get().name().toLowerCase(Locale.ROOT);
        if (isRefused(outcome, "not_yours")) {
            return Optional.of(new CommandReply(context.texts().format("approval-not-yours"), List.of(), true));
        }
        return isRefused(outcome, "unknown_approval")
                ? CommandReply.of(context.texts().format("approval-over"))
                : outcomeReply(outcome, text, context, context.sender().name());
    }

    private static Optional<ApprovalAnswer> answer(String choice) {
        return Arrays.stream(ApprovalAnswer.values())
                .filter(candidate -> choice.startsWith(candidate.name().charAt(0) + " "))
                .findFirst();
    }

    private Optional<CommandReply> tasks(Context context) throws UnavailableException, InterruptedException {
        List<TaskQuestion> open = tasks.open(context.address());
        for (TaskQuestion question : open) {
            tasks.askAgain(context.address(), question, context.reference());
        }
        return open.isEmpty() ? CommandReply.of(context.texts().format("no-tasks")) : Optional.empty();
    }

    private Optional<CommandReply> chooseOption(String choice, Context context)
            throws UnavailableException, InterruptedException {
        int space = choice.indexOf(' ');
        UUID task = Ids.parse(choice.substring(0, space));
        int option = Integer.parseInt(choice.substring(space + 1));
        Optional<TaskQuestion> question = tasks.find(context.address(), task);
        return question.isEmpty()
                ? CommandReply.of(context.texts().format("task-over"))
                : taskReply(
                        tasks.answerWithOption(question.get(), context.sender(), context.reference(), option),
                        question.get(),
                        context);
    }

    /** Handles a reply to the message of a human task; empty where the message does not belong to a task. */
    Optional<CommandReply> answerTask(String message, String text, Context context)
            throws UnavailableException, InterruptedException {
        Optional<TaskQuestion> question = tasks.find(context.address(), message);
        return question.isEmpty()
                ? Optional.empty()
                : taskReply(
                        tasks.answerWithText(question.get(), context.sender(), context.reference(), text),
                        question.get(),
                        context);
    }

    /** The form of a task; empty where the task is closed. */
    Optional<ChatForm> form(String task, Context context) {
        return tasks.find(context.address(), Ids.parse(task))
                .flatMap(question -> tasks.form(
                        question,
                        context.texts().format("form-title"),
                        context.texts().format("form-send")));
    }

    /** Answers a task with a form; returns what is said about the answer. */
    String answerForm(String task, Map<String, List<String>> values, Context context)
            throws UnavailableException, InterruptedException {
        Optional<TaskQuestion> question = tasks.find(context.address(), Ids.parse(task));
        return question.isEmpty()
                ? context.texts().format("task-over")
                : taskText(
                        tasks.answerWithForm(question.get(), context.sender(), context.reference(), values),
                        question.get(),
                        context);
    }

    private Optional<CommandReply> taskReply(AnswerResult result, TaskQuestion question, Context context)
            throws UnavailableException, InterruptedException {
        return CommandReply.of(taskText(result, question, context));
    }

    private String taskText(AnswerResult result, TaskQuestion question, Context context)
            throws UnavailableException, InterruptedException {
        if (result instanceof AnswerResult.Invalid) {
            tasks.askAgain(context.address(), question, context.reference());
        }
        return switch (result) {
            case AnswerResult.Taken _ -> context.texts().format("task-taken");
            case AnswerResult.Invalid invalid -> context.texts().format("task-invalid", invalid.reason());
            case AnswerResult.Refused refused -> context.texts().format("no-work", refused.reason());
            case AnswerResult.Over _ -> context.texts().format("task-over");
            case AnswerResult.Forbidden _ -> context.texts().format("task-forbidden");
            case AnswerResult.Late _ -> context.texts().format("late");
        };
    }

    private Optional<CommandReply> agents() {
        return CommandReply.of(definitions().agents().stream()
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
        return outcome.orElse(null) instanceof Outcome.Refused refused
                && refused.code().equals(code);
    }

    private static boolean isExecuted(Optional<Outcome> outcome) {
        return outcome.isPresent() && !(outcome.get() instanceof Outcome.Refused);
    }

    /** The text for success, or the reason why the command had no effect. */
    private static Optional<CommandReply> outcomeReply(
            Optional<Outcome> outcome, String textName, Context context, Object... values) {
        return CommandReply.of(
                isExecuted(outcome)
                        ? context.texts().format(textName, values)
                        : outcome.orElse(null) instanceof Outcome.Refused refused
                                ? context.texts().format("no-work", refused.message())
                                : context.texts().format("late"));
    }
}
