package dev.parley.workflows.definition;

import dev.parley.workflows.expression.CelDialect;
import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.expression.ExpressionException;
import dev.parley.workflows.expression.ExpressionLanguage;
import dev.parley.workflows.expression.JqDialect;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compiler of workflow definitions: the Serverless Workflow DSL 1.0 with Light-Fabric's additions. Finds all static
 * errors: unknown names, jumps out of a list of tasks, invalid expressions.
 */
public final class DefinitionReader {
    /** Variables visible to every expression. */
    static final Set<String> VARIABLES = Set.of("context", "input", "output", "task", "workflow", "runtime", "now");

    static final Expression NOTHING = _ -> Values.NULL;

    private final List<DefinitionProblem> problems = new ArrayList<>();
    private final List<DefinitionProblem> warnings = new ArrayList<>();
    private final Map<String, Schema> outputSchemas = new LinkedHashMap<>();
    private final List<TaskKind.Extension> extensions = new ArrayList<>();
    private final Map<String, Task> functions = new HashMap<>();
    private final Map<String, Rule> rules = new HashMap<>();
    private final SortedSet<String> needs = new TreeSet<>();
    private final Set<String> reading = new TreeSet<>();
    private final DefinitionNode root;
    private final ExpressionLanguage dialect;

    private final Function<String, Optional<String>> refusal;

    private DefinitionReader(YamlText text, Function<String, Optional<String>> refusal) {
        this.refusal = refusal;
        root = DefinitionNode.root(text, problems);
        dialect = dialect(root.get("evaluate"));
    }

    /**
     * Reads a definition.
     *
     * @throws InvalidDefinitionException if it is invalid, with all its problems
     */
    public static Workflow read(String yaml) {
        return read(yaml, _ -> Optional.empty());
    }

    /**
     * Reads a definition for a server that does not support every feature.
     *
     * @param refusal the reason why a feature such as {@code call http}, {@code run shell} or
     *     {@code secret env:CRM_KEY} is not supported; empty if it is supported
     */
    public static Workflow read(String yaml, Function<String, Optional<String>> refusal) {
        return new DefinitionReader(YamlText.of(yaml), refusal).workflow();
    }

    private ExpressionLanguage dialect(DefinitionNode evaluate) {
        evaluate.checkMembers("language", "mode");
        String language = evaluate.get("language").oneOf("jq", "jq", "cel");
        boolean loose = evaluate.get("mode").oneOf("strict", "strict", "loose").equals("loose");
        return language.equals("cel") ? new CelDialect() : new JqDialect(loose);
    }

    private Workflow workflow() {
        root.isObject(
                TaskReader.words("!document input use !do timeout output schedule evaluate outputSchemas metadata"));
        DefinitionNode document = root.get("document");
        DocumentReader.check(document);
        use(root.get("use"));
        DefinitionNode schemas = root.get("outputSchemas");
        schemas.names().forEach(name -> schema(schemas.get(name)).ifPresent(read -> outputSchemas.put(name, read)));
        Workflow workflow = workflow(document, root.get("schedule"));
        PowerNeeds.check(root, refusal);
        if (!problems.isEmpty()) {
            problems.sort(Comparator.comparingInt(DefinitionProblem::line).thenComparingInt(DefinitionProblem::column));
            throw new InvalidDefinitionException(problems.stream().distinct().toList());
        }
        return workflow;
    }

    private Workflow workflow(DefinitionNode document, DefinitionNode schedule) {
        return new Workflow(
                DocumentReader.name(document.get("namespace")),
                DocumentReader.name(document.get("name")),
                DocumentReader.version(document.get("version")),
                root.value(),
                dialect.evaluatesOnContext(),
                data(root.get("input"), "from", VARIABLES),
                block(root.get("do"), VARIABLES),
                data(root.get("output"), "as", VARIABLES),
                timeout(root.get("timeout"), VARIABLES),
                schedule.isThere() ? ScheduleReader.read(schedule) : null,
                schedule.has("on") ? new EventsReader(this, VARIABLES).events(schedule.get("on")) : null,
                Collections.unmodifiableSortedSet(needs),
                warnings);
    }

    private void use(DefinitionNode use) {
        if (!use.isThere()) {
            return;
        }
        use.isObject(TaskReader.words(
                "authentications catalogs errors extensions functions mcpSessions retries rules secrets timeouts"));
        if (use.has("catalogs")) {
            use.get("catalogs").addProblem("functions of catalogs are not fetched; write them under use.functions");
        }
        rules.putAll(RuleReader.rules(this, use.get("rules")));
        var read = new ArrayList<TaskKind.Extension>();
        for (DefinitionNode item : use.get("extensions").items()) {
            for (String name : item.names()) {
                read.add(ExtensionReader.read(this, name, item.get(name)));
            }
        }
        extensions.addAll(read); // only now, because tasks of extensions are not extended themselves
    }

    /** The task, wrapped in the extensions that apply. */
    Task extend(Task task) {
        List<TaskKind.Extension> around = extensions.stream()
                .filter(extension -> extension.isAround(task.kind()))
                .toList();
        return around.isEmpty() ? task : task.withExtensions(around);
    }

    /** Resolves a name in {@code use}; a part that is not a string is returned unchanged. */
    DefinitionNode resolveUse(DefinitionNode part, String kind) {
        if (!(part.value() instanceof Json.Str(String name))) {
            return part;
        }
        DefinitionNode entries = root.get("use").get(kind);
        if (!entries.has(name)) {
            part.addProblem(
                    "there is no '" + name + "' in use." + kind + DefinitionNode.instead(name, entries.names()));
            return part.as(Values.NULL);
        }
        return entries.get(name);
    }

    /** The function with this name, or null. */
    @Nullable
    Task function(String name, DefinitionNode from) {
        DefinitionNode defined = root.get("use").get("functions").get(name);
        if (!defined.isThere()) {
            return null;
        }
        if (!reading.add(name)) {
            from.addProblem("the function '" + name + "' calls itself");
            return null;
        }
        Task function = functions.get(name);
        if (function == null) {
            function = new TaskReader(this, VARIABLES).task(name, defined, List.of());
            functions.put(name, function);
        }
        reading.remove(name);
        return function;
    }

    /**
     * Adds a required feature, and a problem if the server does not support it.
     *
     * @param part the requiring part
     */
    void needs(String feature, DefinitionNode part) {
        needs.add(feature);
        refusal.apply(feature).ifPresent(part::addProblem);
    }

    Map<String, Rule> rules() {
        return rules;
    }

    List<String> functionNames() {
        return root.get("use").get("functions").names();
    }

    @Nullable
    Schema outputSchema(String name) {
        return outputSchemas.get(name);
    }

    List<String> outputSchemaNames() {
        return List.copyOf(outputSchemas.keySet());
    }

    TaskBlock block(DefinitionNode part, Set<String> variables) {
        var block = new TaskBlock(part.pointer(), part.isList() ? tasks(part, variables) : List.of());
        LoopCheck.in(block)
                .forEach((index, to) -> warnings.add(part.items()
                        .get(index)
                        .get(block.tasks().get(index).name())
                        .warning("the loop back to '" + to + "' has no task that waits: it may run endlessly")));
        return block;
    }

    private List<Task> tasks(DefinitionNode part, Set<String> variables) {
        var tasks = new ArrayList<Task>();
        List<String> names = part.items().stream()
                .flatMap(item -> item.names().stream().limit(1))
                .toList();
        for (DefinitionNode item : part.items()) {
            if (item.names().size() != 1) {
                item.addProblem("an item of a list of tasks is one name, with the task under it");
                continue;
            }
            String name = item.names().getFirst();
            if (tasks.stream().anyMatch(task -> task.name().equals(name))) {
                item.get(name).addProblem("there are two tasks '" + name + "' in this list");
            }
            tasks.add(new TaskReader(this, variables).task(name, item.get(name), names));
        }
        return tasks;
    }

    DataFlow data(DefinitionNode part, String transform, Set<String> variables) {
        if (!part.isThere()) {
            return DataFlow.AS_IT_IS;
        }
        part.isObject("schema", transform);
        DefinitionNode transformPart = part.get(transform);
        return new DataFlow(
                transformPart.isThere() ? transform(transformPart, variables) : null,
                schema(part.get("schema")).orElse(null));
    }

    /**
     * An expression, with or without {@code ${ }}, or a value that contains expressions; Light-Fabric omits the braces
     * in objects, too.
     */
    Template transform(DefinitionNode part, Set<String> variables) {
        if (part.value() instanceof Json.Str) {
            return new Template.Evaluated(expression(part, variables));
        }
        if (!dialect.evaluatesOnContext() || !(part.value() instanceof Json.Obj)) {
            return template(part, variables);
        }
        var members = new LinkedHashMap<String, Template>();
        for (String name : part.names()) {
            DefinitionNode member = part.get(name);
            boolean bare =
                    member.value().text().filter(text -> text.startsWith(".")).isPresent();
            members.put(
                    name, bare ? new Template.Evaluated(expression(member, variables)) : template(member, variables));
        }
        return new Template.Members(members);
    }

    Template template(DefinitionNode part, Set<String> variables) {
        return template(part, part.value(), variables);
    }

    /** Reads each string separately after a failure, to locate the problem. */
    private Template template(DefinitionNode part, Json value, Set<String> variables) {
        try {
            return dialect.template(value, variables);
        } catch (ExpressionException e) {
            locate(part, variables);
            return new Template.Fixed(Values.NULL);
        }
    }

    private void locate(DefinitionNode part, Set<String> variables) {
        switch (part.value()) {
            case Json.Str(String text) -> {
                try {
                    dialect.in(text, variables);
                } catch (ExpressionException e) {
                    part.addProblem(String.valueOf(e.getMessage()));
                }
            }
            case Json.Arr _ -> part.items().forEach(item -> locate(item, variables));
            case Json.Obj _ -> part.names().forEach(name -> locate(part.get(name), variables));
            case Json.Null _, Json.Bool _, Json.Num _ -> {}
        }
    }

    Expression expression(DefinitionNode part, Set<String> variables) {
        return expression(part, text -> dialect.expression(text, variables));
    }

    private static Expression expression(DefinitionNode part, Function<String, Expression> language) {
        String text = part.text();
        if (text.isEmpty()) {
            return NOTHING;
        }
        try {
            return language.apply(text);
        } catch (ExpressionException e) {
            part.addProblem(String.valueOf(e.getMessage()));
            return NOTHING;
        }
    }

    /**
     * The condition of a rule.
     *
     * @param readsMembers whether a bare word of CEL is a member of the data instead of a string
     */
    Expression predicate(DefinitionNode part, boolean readsMembers) {
        return expression(
                part, text -> readsMembers ? dialect.predicate(text, VARIABLES) : dialect.expression(text, VARIABLES));
    }

    /** The language of its expressions: {@code jq} or {@code cel}. */
    String language() {
        return dialect.evaluatesOnContext() ? "cel" : "jq";
    }

    @Nullable
    Expression optional(DefinitionNode part, Set<String> variables) {
        return part.isThere() ? expression(part, variables) : null;
    }

    Optional<Schema> schema(DefinitionNode part) {
        if (!part.isThere()) {
            return Optional.empty();
        }
        DefinitionNode document = part;
        if (part.has("document") || part.has("format") || part.has("resource")) {
            part.isObject("format", "document", "resource");
            if (part.has("resource")) {
                part.get("resource").addProblem("schemas are not fetched; write it under 'document'");
                return Optional.empty();
            }
            if (!part.get("format").oneOf("json", "json").equals("json")) {
                return Optional.empty();
            }
            document = part.get("document");
        }
        return compile(document);
    }

    private static Optional<Schema> compile(DefinitionNode document) {
        try {
            return Optional.of(Schema.of(document.value()));
        } catch (IllegalArgumentException e) {
            document.addProblem("invalid JSON Schema: " + e.getMessage());
            return Optional.empty();
        }
    }

    @Nullable
    DurationExpression timeout(DefinitionNode part, Set<String> variables) {
        DefinitionNode timeout = resolveUse(part, "timeouts");
        if (!timeout.isThere()) {
            return null;
        }
        return timeout.isObject("!after") ? duration(timeout.get("after"), variables) : null;
    }

    DurationExpression duration(DefinitionNode part, Set<String> variables) {
        if (part.value() instanceof Json.Obj) {
            part.isObject(DurationExpression.UNITS.toArray(String[]::new));
        } else {
            part.text();
        }
        Template template = template(part, variables);
        if (template instanceof Template.Fixed(Json value)
                && part.isThere()
                && DurationExpression.of(value).isEmpty()) {
            part.addProblem("not a duration: use ISO 8601, such as PT15M, or an object with "
                    + String.join(", ", DurationExpression.UNITS));
        }
        return new DurationExpression(template);
    }

    @Nullable
    DurationExpression optionalDuration(DefinitionNode part, Set<String> variables) {
        return part.isThere() ? duration(part, variables) : null;
    }
}
