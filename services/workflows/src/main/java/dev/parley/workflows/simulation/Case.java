package dev.parley.workflows.simulation;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.ProcessEffect;
import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.people.Question;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A test case of a workflow: recorded answers and expectations.
 *
 * @param answers by task name: {@code {"output": …}} or {@code {"error": {…}}}, or a list with one answer per run; for
 *     {@code listen} tasks {@code {"events": […]}}
 * @param expected {@code assignmentRows} (the number of questions to people), {@code status} (a letter) or
 *     {@code phase}, {@code output}, {@code error}, {@code path} (names of the tasks in the order in which they begin),
 *     {@code terminalTask}, {@code failedTask}, {@code outputStatus} (the output's member {@code status})
 */
public record Case(String name, Json input, Json answers, Json expected) {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<String> EXPECTATIONS =
            List.of("status processStatus phase output error path terminalTask failedTask outputStatus assignmentRows"
                    .split(" "));

    /**
     * The result of a case.
     *
     * @param failures unmet expectations, one line each
     */
    public record Verdict(String name, Simulation.Result result, List<String> failures) {}

    /**
     * Reads cases: a list of them, or an object that has them under {@code cases}.
     *
     * @throws IllegalArgumentException if the JSON has another form
     */
    public static List<Case> read(Json json) {
        List<Json> values = json instanceof Json.Arr(List<Json> items)
                ? items
                : json.get("cases").list();
        if (values.isEmpty()) {
            throw new IllegalArgumentException(
                    "there are no cases: a list of {\"name\", \"input\", \"answers\", \"expected\"}");
        }
        var cases = new ArrayList<Case>();
        for (Json value : values) {
            cases.add(readCase(value, cases.size() + 1));
        }
        return cases;
    }

    private static Case readCase(Json value, int number) {
        String name = value.get("name").text().orElse("case " + number);
        value.get("expected").map().keySet().stream()
                .filter(expectation -> !EXPECTATIONS.contains(expectation))
                .findFirst()
                .ifPresent(unknown -> {
                    throw new IllegalArgumentException("'" + name + "' expects '" + unknown
                            + "', which is not known; known are " + String.join(", ", EXPECTATIONS));
                });
        Json input = value.get("input").isNull() ? Values.EMPTY_OBJECT : value.get("input");
        return new Case(name, input, value.get("answers"), value.get("expected"));
    }

    /**
     * Runs the case.
     *
     * @param shared answers for tasks without an answer of the case
     */
    public Verdict run(Workflow workflow, Json shared) {
        var recorded = new Recorded(answers, shared);
        try {
            Simulation.Result result = Simulation.run(workflow, input, recorded, BEGIN);
            var failures = new ArrayList<>(recorded.problems);
            expected.map().forEach((property, expectation) -> {
                Json found = findProperty(property, result);
                if (!fits(expectation, found)) {
                    failures.add(property + " is " + found + ", not " + expectation);
                }
            });
            if (!result.state().phase().isFinal() && !expectsPhase()) {
                failures.add("it does not end: it waits for " + result.next());
            }
            return new Verdict(name, result, failures);
        } catch (ProcessMachine.InvalidInputException e) {
            throw new IllegalArgumentException(
                    "the input of '" + name + "' does not match the definition: " + e.getMessage(), e);
        }
    }

    private boolean expectsPhase() {
        return expected.map().containsKey("phase") || expected.map().containsKey("status");
    }

    private static Json findProperty(String property, Simulation.Result result) {
        var state = result.state();
        return switch (property) {
            case "status", "processStatus" ->
                Json.of(String.valueOf(state.phase().letter()));
            case "phase" -> Json.of(state.phase().specificationName());
            case "output" -> state.output();
            case "outputStatus" -> state.output().get("status");
            case "error" -> state.error() == null ? Values.NULL : state.error().toJson();
            case "path" -> Json.of(result.begunTasks().stream().map(Json::of).toList());
            case "assignmentRows" ->
                Json.of(result.effects().stream()
                        .filter(ProcessEffect.Ask.class::isInstance)
                        .count());
            case "terminalTask" -> last(result.completedTasks());
            case "failedTask" -> last(result.enteredTasks(Phase.FAULTED));
            default -> Values.NULL;
        };
    }

    private static Json last(List<String> names) {
        return names.isEmpty() ? Values.NULL : Json.of(names.getLast());
    }

    /** Compares a value with an expectation: objects may have further members, other values must be equal. */
    private static boolean fits(Json expectation, Json found) {
        if (expectation instanceof Json.Obj && found instanceof Json.Obj) {
            return expectation.map().entrySet().stream()
                    .allMatch(member -> fits(member.getValue(), found.get(member.getKey())));
        }
        return expectation.equals(found);
    }

    /** Recorded answers. */
    private static final class Recorded implements Simulation.World {
        private final Json answers;
        private final Json shared;
        private final Map<String, Integer> asked = new HashMap<>();
        private final List<String> problems = new ArrayList<>();

        Recorded(Json answers, Json shared) {
            this.answers = answers;
            this.shared = shared;
        }

        @Override
        public Optional<Simulation.Answer> call(ProcessEffect.Call call) {
            Optional<Json> answer = next(call.name());
            Json mock = call.arguments().get("mockOutput");
            if (answer.isEmpty() && !mock.isNull()) {
                return Optional.of(new Simulation.Answer(mock, null));
            }
            if (answer.isEmpty()) {
                problems.add("no answer is recorded for '" + call.name() + "' (call " + call.function() + ")");
                return Optional.empty();
            }
            Json error = answer.get().get("error");
            return Optional.of(
                    new Simulation.Answer(answer.get().get("output"), error.isNull() ? null : WorkflowError.of(error)));
        }

        @Override
        public Optional<Json> ask(ProcessEffect.Ask ask) {
            return next(ask.name()).map(answer -> {
                Question.Answer checked = new Question(ask.question()).answer(answer.get("output"));
                checked.errors()
                        .forEach(error -> problems.add("the answer to '" + ask.name() + "' is refused: " + error));
                return checked.value();
            });
        }

        @Override
        public List<Json> listen(ProcessEffect.Listen listen) {
            String name = JsonPointer.name(listen.pointer());
            return next(name).map(answer -> answer.get("events").list()).orElse(List.of());
        }

        private Optional<Json> next(String task) {
            Json recorded = answers.get(task).isNull() ? shared.get(task) : answers.get(task);
            if (recorded.isNull()) {
                return Optional.empty();
            }
            int turn = asked.merge(task, 1, Integer::sum) - 1;
            if (!(recorded instanceof Json.Arr(List<Json> turns))) {
                return Optional.of(recorded);
            }
            return turns.isEmpty() ? Optional.empty() : Optional.of(turns.get(Math.min(turn, turns.size() - 1)));
        }
    }
}
