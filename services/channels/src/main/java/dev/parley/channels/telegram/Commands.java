package dev.parley.channels.telegram;

import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Place;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.CommandMeta;
import dev.parley.domain.turn.Definitions;
import dev.parley.domain.turn.Outcome;
import dev.parley.domain.turn.Settings;
import dev.parley.domain.turn.TurnCommand;
import dev.parley.domain.turn.TurnCommand.CancelTurn;
import dev.parley.domain.turn.TurnCommand.Change;
import dev.parley.domain.turn.TurnCommand.ChangeSession;
import dev.parley.domain.turn.TurnCommand.Reset;
import dev.parley.domain.turn.TurnCommand.ResetContext;
import dev.parley.platform.config.BotConfig;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What people can say to the bot itself instead of its agent. */
final class Commands {
    private static final int CALLBACK = 64;

    /** Names and what they do, as they are registered. */
    static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put("help", "What I can do");
        ALL.put("new", "Begin a new conversation");
        ALL.put("stop", "Stop what I am doing");
        ALL.put("status", "Where we stand");
        ALL.put("model", "Choose the model that answers");
        ALL.put("agents", "Who can answer here");
    }

    private final BotConfig bot;
    private final Intake intake;
    private final Definitions definitions;

    Commands(BotConfig bot, Intake intake, Definitions definitions) {
        this.bot = bot;
        this.intake = intake;
        this.definitions = definitions;
    }

    /** What is said, and the models to choose from below it. */
    record Answer(String text, List<String> buttons) {
        static Optional<Answer> of(String text) {
            return Optional.of(new Answer(text, List.of()));
        }
    }

    static boolean knows(String command) {
        return ALL.containsKey(command) || command.equals("start");
    }

    /**
     * Carries a command out, once for each reference.
     *
     * @return what to say, or nothing where that comes by itself
     */
    Optional<Answer> carryOut(String command, String rest, Place place, Sender who, String reference)
            throws UnavailableException, InterruptedException {
        return switch (command) {
            case "start" -> Answer.of("Hello! Write to me, and I answer. /help lists what else I can do.");
            case "help" ->
                Answer.of(ALL.entrySet().stream()
                        .map(entry -> "/" + entry.getKey() + " – " + entry.getValue())
                        .collect(Collectors.joining("\n")));
            case "new" -> begin(place, who, reference);
            case "stop" -> stop(place, who, reference);
            case "status" -> status(place);
            case "model" -> rest.isBlank() ? models() : choose(rest.strip(), place, who, reference);
            case "agents" -> agents();
            default -> Optional.empty();
        };
    }

    private Optional<Outcome> ask(Place place, Sender who, String reference, Function<CommandMeta, TurnCommand> command)
            throws UnavailableException, InterruptedException {
        return intake.ask(place, TelegramChannel.KIND, reference, who, command);
    }

    private Optional<Answer> begin(Place place, Sender who, String reference)
            throws UnavailableException, InterruptedException {
        var outcome = ask(place, who, reference, meta -> new ResetContext(meta, Reset.NEW, null));
        // Where there is no conversation yet, the next message begins one anyway.
        return Answer.of(
                isRefused(outcome, "unknown_session") || outcome.isPresent() && !isRefused(outcome)
                        ? "A new conversation. The old one is kept."
                        : unclear(outcome));
    }

    private Optional<Answer> stop(Place place, Sender who, String reference)
            throws UnavailableException, InterruptedException {
        var outcome = ask(place, who, reference, meta -> new CancelTurn(meta, null, "stopped by " + who.name()));
        if (isRefused(outcome, "no_active_turn")) {
            return Answer.of("I am not doing anything.");
        }
        return outcome.isPresent() && !isRefused(outcome) ? Optional.empty() : Answer.of(unclear(outcome));
    }

    private Optional<Answer> status(Place place) {
        Agent agent = agent();
        return Answer.of("Conversation: %s\nAgent: %s\nModel: %s/%s, unless you chose another one"
                .formatted(place.key().session(), agent.name(), agent.provider(), agent.model()));
    }

    private Optional<Answer> models() {
        var models = agent().models();
        var buttons = models.stream()
                .filter(model -> ("model " + model).getBytes(StandardCharsets.UTF_8).length <= CALLBACK)
                .toList();
        return Optional.of(new Answer(
                "Which model shall answer?\n" + String.join("\n", models), models.size() > 1 ? buttons : List.of()));
    }

    private Optional<Answer> choose(String model, Place place, Sender who, String reference)
            throws UnavailableException, InterruptedException {
        var settings = new Settings(model, null, null, null, null, Map.of());
        var opened = ask(place, who, reference + " open", meta -> change(meta, Change.OPEN, settings, place));
        var outcome = isRefused(opened, "session_exists")
                ? ask(place, who, reference, meta -> change(meta, Change.CONFIGURE, settings, place))
                : opened;
        return Answer.of(
                outcome.isPresent() && !isRefused(outcome) ? model + " answers from now on." : unclear(outcome));
    }

    private TurnCommand change(CommandMeta meta, Change change, Settings settings, Place place) {
        return new ChangeSession(meta, change, null, bot.agent(), settings, TelegramChannel.KIND, place.channelId());
    }

    private Optional<Answer> agents() {
        return Answer.of(definitions.agents().stream()
                .filter(agent -> agent.isPrimary() && !agent.hidden())
                .map(agent -> agent.name() + (agent.description().isEmpty() ? "" : " – " + agent.description()))
                .collect(Collectors.joining("\n")));
    }

    private Agent agent() {
        String name = bot.agent() == null ? Agent.DEFAULT : bot.agent();
        return definitions.agent(name).orElseGet(() -> Agent.of(name, "unknown", "unknown", ""));
    }

    private static boolean isRefused(Optional<Outcome> outcome) {
        return outcome.orElse(null) instanceof Outcome.Refused;
    }

    private static boolean isRefused(Optional<Outcome> outcome, String code) {
        return outcome.orElse(null) instanceof Outcome.Refused no && no.code().equals(code);
    }

    private static String unclear(Optional<Outcome> outcome) {
        return outcome.orElse(null) instanceof Outcome.Refused no
                ? "That did not work: " + no.message() + "."
                : "That takes longer than usual; it may still happen.";
    }
}
