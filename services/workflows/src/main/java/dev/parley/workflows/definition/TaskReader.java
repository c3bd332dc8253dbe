package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reads one task of a definition. */
final class TaskReader {
    private static final List<String> COMMON =
            List.of(words("if input output export timeout then metadata retry idempotencyKey explain end"));

    /** The kinds of tasks by their key, with the further members of each kind. */
    private static final Map<String, List<String>> KINDS = kinds();

    private static final String[] ASSIGNMENT = {"assigneeId", "roleId", "categoryCode", "reasonCode"};

    private final DefinitionReader definition;
    private final Set<String> variables;

    /** @param variables visible to expressions of the task */
    TaskReader(DefinitionReader definition, Set<String> variables) {
        this.definition = definition;
        this.variables = variables;
    }

    private static Map<String, List<String>> kinds() {
        var kinds = new LinkedHashMap<String, List<String>>();
        for (String kind : words("call do emit for fork listen raise run set switch try wait ask assert")) {
            kinds.put(kind, List.of());
        }
        kinds.put("call", List.of("with"));
        kinds.put("for", List.of("do", "while"));
        kinds.put("listen", List.of("foreach"));
        kinds.put("try", List.of("catch"));
        return kinds;
    }

    /** Words of a text. */
    static String[] words(String text) {
        return text.split(" ");
    }

    /** @param siblings names of the tasks of the same list */
    Task task(String name, DefinitionNode part, List<String> siblings) {
        String kind = kind(part);
        String then = then(part.get("then"), siblings);
        if (part.get("end").isTrue(false)) {
            then = Task.END;
        }
        var task = new Task(
                name,
                part.pointer(),
                part.value(),
                definition.optional(part.get("if"), variables),
                definition.data(part.get("input"), "from", variables),
                definition.data(part.get("output"), "as", variables),
                definition.data(part.get("export"), "as", variables),
                definition.timeout(part.get("timeout"), variables),
                RetryReader.read(definition, part.get("retry"), variables),
                then,
                definition.optional(part.get("idempotencyKey"), variables),
                read(kind, part, siblings));
        return definition.extend(task);
    }

    /** The kind of the task, by its key. Also checks its members. */
    private static String kind(DefinitionNode part) {
        List<String> found = KINDS.keySet().stream()
                .filter(part::has)
                .filter(kind -> !(kind.equals("do") && part.has("for")))
                .toList();
        if (found.size() > 1) {
            part.addProblem("the task does several things: " + String.join(", ", found));
            return "";
        }
        String kind = found.isEmpty() ? "" : found.getFirst();
        List<String> members = found.isEmpty() ? List.copyOf(KINDS.keySet()) : KINDS.getOrDefault(kind, List.of());
        boolean valid = part.isObject(Stream.of(found, members, COMMON)
                .flatMap(List::stream)
                .distinct()
                .toArray(String[]::new));
        if (found.isEmpty() && valid) {
            part.addProblem("the task does nothing; it has one of " + String.join(", ", KINDS.keySet()));
        }
        return kind;
    }

    /** The next step: a keyword, or a task of the same list. */
    static String then(DefinitionNode part, List<String> siblings) {
        if (!part.isThere()) {
            return Task.CONTINUE;
        }
        String then = part.text();
        boolean isKeyword = List.of(Task.CONTINUE, Task.EXIT, Task.END).contains(then);
        if (!isKeyword && !siblings.contains(then)) {
            part.addProblem("there is no task '" + then + "' in this list"
                    + DefinitionNode.instead(
                            then,
                            Stream.concat(siblings.stream(), Stream.of("continue", "exit", "end"))
                                    .toList()));
        }
        return then;
    }

    private TaskKind read(String kind, DefinitionNode part, List<String> siblings) {
        DefinitionNode body = part.get(kind);
        return switch (kind) {
            case "do" -> new TaskKind.Do(definition.block(body, variables));
            case "set" -> new TaskKind.Set(definition.template(body, variables));
            case "switch" -> new TaskKind.Switch(cases(body, siblings));
            case "for" -> loop(part, body);
            case "fork" -> fork(body);
            case "try" -> attempt(part, body);
            case "raise" -> raise(body);
            case "wait" -> new TaskKind.Wait(definition.duration(body, variables));
            case "emit" -> emit(body);
            case "call" -> new CallReader(definition, variables).call(part, body, siblings);
            case "run" -> new RunReader(definition, variables).run(body);
            case "ask" -> ask(body, siblings);
            case "assert" -> check(body);
            case "listen" -> listen(part, body);
            default -> new TaskKind.Set(new Template.Fixed(Values.NULL));
        };
    }

    private Set<String> with(String... names) {
        var visible = new HashSet<>(variables);
        visible.addAll(Arrays.asList(names));
        return visible;
    }

    private List<TaskKind.Case> cases(DefinitionNode body, List<String> siblings) {
        var cases = new ArrayList<TaskKind.Case>();
        if (!body.isList()) {
            return cases;
        }
        for (DefinitionNode item : body.items()) {
            if (item.names().size() != 1) {
                item.addProblem("a case is one name, with 'when' and 'then' under it");
                continue;
            }
            String name = item.names().getFirst();
            DefinitionNode choice = item.get(name);
            choice.isObject("when", "!then");
            if (!choice.has("when") && cases.stream().anyMatch(other -> other.when() == null)) {
                choice.addProblem("only one case has no 'when'");
            }
            cases.add(new TaskKind.Case(
                    name, definition.optional(choice.get("when"), variables), then(choice.get("then"), siblings)));
        }
        return cases;
    }

    private TaskKind loop(DefinitionNode part, DefinitionNode body) {
        body.isObject("each", "!in", "at");
        String each = variable(body.get("each"), "item");
        String at = variable(body.get("at"), "index");
        Set<String> inner = with(each, at);
        return new TaskKind.For(
                each,
                at,
                definition.expression(body.get("in"), variables),
                definition.optional(part.get("while"), inner),
                definition.block(part.get("do"), inner));
    }

    private static String variable(DefinitionNode part, String defaultValue) {
        String name = part.optionalText().orElse(defaultValue);
        if (!name.matches("[A-Za-z_]\\w{0,99}")) {
            part.addProblem("'" + name + "' is not a valid variable name");
            return defaultValue;
        }
        return name;
    }

    private TaskKind fork(DefinitionNode body) {
        body.isObject("!branches", "compete");
        TaskBlock branches = definition.block(body.get("branches"), variables);
        for (Task branch : branches.tasks()) {
            if (branches.indexOf(branch.then()) >= 0) {
                body.addProblem("the branch '" + branch.name() + "' cannot continue in another branch");
            }
        }
        return new TaskKind.Fork(branches.tasks(), body.get("compete").isTrue(false));
    }

    private TaskKind attempt(DefinitionNode part, DefinitionNode body) {
        DefinitionNode handler = part.get("catch");
        if (!part.has("catch")) {
            part.addProblem("'try' needs 'catch'");
        } else {
            handler.isObject("errors", "as", "when", "exceptWhen", "retry", "do");
        }
        Json errors = errorFilter(handler.get("errors"));
        String as = variable(handler.get("as"), "error");
        Set<String> inner = with(as);
        return new TaskKind.Try(
                definition.block(body, variables),
                new TaskKind.Catch(
                        errors,
                        as,
                        definition.optional(handler.get("when"), inner),
                        definition.optional(handler.get("exceptWhen"), inner),
                        RetryReader.read(definition, handler.get("retry"), inner),
                        handler.has("do") ? definition.block(handler.get("do"), inner) : null));
    }

    /** The required members of caught errors. */
    private static Json errorFilter(DefinitionNode part) {
        if (part.isThere()) {
            part.isObject("!with");
            part.get("with").isObject("type", "status", "instance", "title", "detail");
        }
        return part.get("with").value();
    }

    private TaskKind raise(DefinitionNode body) {
        body.isObject("!error");
        DefinitionNode error = definition.resolveUse(body.get("error"), "errors");
        error.checkMembers("!type", "!status", "title", "detail", "instance");
        return new TaskKind.Raise(definition.template(error, variables));
    }

    private TaskKind emit(DefinitionNode body) {
        body.isObject("!event");
        body.get("event").isObject("!with");
        DefinitionNode with = body.get("event").get("with");
        for (String required : List.of("source", "type")) {
            if (!with.has(required)) {
                with.addProblem("an event needs '" + required + "'");
            }
        }
        return new TaskKind.Emit(definition.template(with, variables));
    }

    private TaskKind ask(DefinitionNode body, List<String> siblings) {
        body.isObject(words("!prompt mode options optionsFrom schema validate default required sensitive assignment"
                + " priority lockGroup timeout onTimeout retryOnInvalid"));
        body.get("mode").oneOf("text", "text", "choice", "approval", "confirm", "form");
        body.get("assignment").checkMembers(ASSIGNMENT);
        onTimeout(body.get("onTimeout"), siblings);
        for (DefinitionNode option : body.get("options").items()) {
            option.wrapAs("value").isObject("label", "!value", "description");
        }
        definition.schema(body.get("schema"));
        return new TaskKind.Ask(
                definition.template(body, variables), definition.timeout(body.get("timeout"), variables));
    }

    /** Checks {@code onTimeout}, which may be nested. */
    private static void onTimeout(DefinitionNode onTimeout, List<String> siblings) {
        if (!(onTimeout.value() instanceof Json.Obj)) {
            onTimeout.oneOf("fail", "fail", "default");
            return;
        }
        String action = onTimeout.get("action").oneOf("fail", "fail", "default", "route", "escalate");
        switch (action) {
            case "route" -> {
                onTimeout.isObject("action", "!then");
                then(onTimeout.get("then"), siblings);
            }
            case "escalate" -> {
                onTimeout.isObject("action", "!assignment", "onTimeout");
                onTimeout.get("assignment").checkMembers(ASSIGNMENT);
                onTimeout(onTimeout.get("onTimeout"), siblings);
            }
            default -> onTimeout.isObject("action", "default");
        }
    }

    private TaskKind check(DefinitionNode body) {
        body.isObject("value", "equals", "contains", "matches", "exists", "json", "schema", "rule", "message");
        if (!body.has("value") && !body.has("json") && !body.has("rule")) {
            body.addProblem("'assert' needs 'value', 'rule', or 'json' with paths into the data");
        }
        definition.schema(body.get("schema"));
        return new TaskKind.Assert(
                definition.template(body.without("rule"), variables),
                body.has("rule") ? new RuleReader(definition, variables).inAssertion(body.get("rule")) : null);
    }

    private TaskKind listen(DefinitionNode part, DefinitionNode body) {
        body.isObject("!to", "read");
        DefinitionNode to = body.get("to");
        DefinitionNode until = to.get("until");
        boolean byEvents = until.value() instanceof Json.Obj;
        boolean envelope =
                body.get("read").oneOf("data", "data", "envelope", "raw").equals("envelope");
        return new TaskKind.Listen(
                new EventsReader(definition, variables).events(to, "until"),
                until.isThere() && !byEvents ? definition.expression(until, variables) : null,
                byEvents ? new EventsReader(definition, variables).events(until) : null,
                envelope ? TaskKind.Read.ENVELOPE : TaskKind.Read.DATA,
                part.has("foreach") ? foreach(part.get("foreach")) : null);
    }

    /** Tasks for each event or message; none if the part is absent. */
    TaskKind.Foreach foreach(DefinitionNode part) {
        part.checkMembers("item", "at", "do", "output", "export");
        String item = variable(part.get("item"), "item");
        String at = variable(part.get("at"), "index");
        Set<String> inner = with(item, at);
        return new TaskKind.Foreach(
                item,
                at,
                part.has("do")
                        ? definition.block(part.get("do"), inner)
                        : new TaskBlock(part.pointer() + "/do", List.of()),
                definition.data(part.get("output"), "as", inner),
                definition.data(part.get("export"), "as", inner));
    }
}
