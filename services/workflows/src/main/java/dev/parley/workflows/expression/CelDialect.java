package dev.parley.workflows.expression;

import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Light-Fabric's dialect: a string may contain several expressions. An expression is a path into the context of the
 * process, {@code .claim.customerId}, or CEL over such paths; a bare word is a string
 * ({@code .approval.value == REJECTED}). Missing members are null. Values are interpolated as JSON, strings without
 * quotes.
 */
public record CelDialect() implements ExpressionLanguage {
    private static final int MAX_LENGTH = 10_000;
    private static final int MAX_ITERATIONS = 10_000;
    private static final CelOptions OPTIONS = CelOptions.current()
            .comprehensionMaxIterations(MAX_ITERATIONS)
            .maxExpressionCodePointSize(MAX_LENGTH)
            .enableHeterogeneousNumericComparisons(true)
            .build();
    private static final CelRuntime RUNTIME =
            CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();

    private static final Pattern PATH = Pattern.compile("\\.(?:[A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*|\\[\\d{1,6}])*)?");
    private static final Pattern TOKEN =
            Pattern.compile("(?<string>\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*')|(?<number>\\d[\\w.]*)"
                    // a bare word in a comparison may have dashes
                    + "|(?<=[=!]=\\s{0,9})(?<word>[A-Za-z_]\\w*(?:-\\w+)+)"
                    + "|(?<path>\\.?[A-Za-z_]\\w*(?:\\s*\\.\\s*[A-Za-z_]\\w*|\\[\\d{1,6}])*)|(?<other>\\s+|.)");
    private static final Pattern BOUND =
            Pattern.compile("\\.\\s*(?:all|exists|exists_one|map|filter)\\s*\\(\\s*([A-Za-z_]\\w*)\\s*,");
    private static final Set<String> KEYWORDS = Set.of("true", "false", "null", "in");

    @Override
    public boolean evaluatesOnContext() {
        return true;
    }

    @Override
    public Expression expression(String text, Set<String> variables) {
        String bare = text.strip();
        String inner = bare.startsWith("${") && bare.endsWith("}") && end(bare, 0) == bare.length()
                ? bare.substring(2, bare.length() - 1).strip()
                : bare;
        if (PATH.matcher(inner).matches()) {
            List<String> path = path(inner);
            return scope -> at(scope, path);
        }
        return Cel.compile(inner, true);
    }

    @Override
    public Expression predicate(String text, Set<String> variables) {
        return Cel.compile(text.strip(), false);
    }

    @Override
    public Optional<Expression> in(String text, Set<String> variables) {
        int from = text.indexOf("${");
        if (from < 0) {
            return Optional.empty();
        }
        if (from == 0 && end(text, 0) == text.length()) {
            return Optional.of(expression(text, variables));
        }
        var parts = new ArrayList<Template>();
        int position = 0;
        while (from >= 0) {
            int end = end(text, from);
            parts.add(new Template.Fixed(Json.of(text.substring(position, from))));
            parts.add(new Template.Evaluated(expression(text.substring(from, end), variables)));
            position = end;
            from = text.indexOf("${", position);
        }
        parts.add(new Template.Fixed(Json.of(text.substring(position))));
        return Optional.of(scope -> Json.of(
                parts.stream().map(part -> part.evaluate(scope).display()).collect(Collectors.joining())));
    }

    /** End of the expression that starts here, after its brace. */
    private static int end(String text, int from) {
        int open = 0;
        for (int i = from + 1; i < text.length(); i++) {
            open += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (open == 0) {
                return i + 1;
            }
        }
        throw new ExpressionException("an expression that starts with ${ is not closed: '" + text + "'");
    }

    private static List<String> path(String text) {
        return List.of(text.replaceAll("\\s", "").replaceFirst("^\\.", "").split("[.\\[]")).stream()
                .map(name -> name.replace("]", ""))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private static Json at(Scope scope, List<String> path) {
        Json current = scope.data();
        for (String name : path) {
            if (current instanceof Json.Arr(List<Json> items) && name.matches("\\d+")) {
                int index = Integer.parseInt(name);
                current = index < items.size() ? items.get(index) : Values.NULL;
            } else {
                current = current.get(name);
            }
        }
        return current;
    }

    /** CEL source in which each path is replaced by a variable. */
    private record Cel(String text, CelRuntime.Program program, Map<String, List<String>> paths) implements Expression {
        /** @param strings whether a bare word is a string; otherwise it is a path */
        static Cel compile(String text, boolean strings) {
            var paths = new LinkedHashMap<String, List<String>>();
            String rewritten = rewritten(text, strings, paths);
            CelCompilerBuilder compiler = CelCompilerFactory.standardCelCompilerBuilder()
                    .setOptions(OPTIONS)
                    .setStandardMacros(CelStandardMacro.STANDARD_MACROS);
            paths.keySet().forEach(name -> compiler.addVar(name, SimpleType.DYN));
            try {
                return new Cel(
                        text,
                        RUNTIME.createProgram(
                                compiler.build().compile(rewritten).getAst()),
                        paths);
            } catch (CelValidationException | CelEvaluationException e) {
                String problem = String.valueOf(e.getMessage())
                        .lines()
                        .findFirst()
                        .orElse("")
                        .replaceFirst("^ERROR: <input>:", "");
                throw new ExpressionException("'" + text + "' is not valid CEL: " + problem);
            }
        }

        private static String rewritten(String text, boolean strings, Map<String, List<String>> paths) {
            var bound =
                    BOUND.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toSet());
            var rewritten = new StringBuilder();
            Matcher token = TOKEN.matcher(text);
            while (token.find()) {
                String path = token.group("path");
                String compared = token.group("word");
                if (compared != null) {
                    rewritten.append('"').append(compared).append('"');
                    continue;
                }
                rewritten.append(path == null ? token.group() : word(path, strings, text, token.end(), bound, paths));
            }
            return rewritten.toString();
        }

        /**
         * Translates a name: a path to a variable, a bare word to a string; functions, keywords and macro variables are
         * kept.
         */
        private static String word(
                String word,
                boolean strings,
                String text,
                int end,
                Set<String> bound,
                Map<String, List<String>> paths) {
            List<String> names = path(word);
            if (!word.startsWith(".") && (KEYWORDS.contains(word) || bound.contains(names.getFirst()))) {
                return word;
            }
            boolean called = text.startsWith("(", end);
            if (called && names.size() == 1) {
                return word;
            }
            String method = called ? "." + names.getLast() : "";
            List<String> path = called ? names.subList(0, names.size() - 1) : names;
            if (strings && path.size() == 1 && !word.startsWith(".") && !called) {
                return '"' + word + '"';
            }
            String name = "path_" + paths.size();
            paths.put(name, path);
            return name + method;
        }

        @Override
        public Json evaluate(Scope scope) {
            var values = new HashMap<String, Object>();
            paths.forEach((name, path) -> values.put(name, toCel(at(scope, path))));
            try {
                return fromCel(program.eval(values));
            } catch (CelEvaluationException | IllegalArgumentException e) {
                throw new ExpressionException("'" + text + "' failed: " + e.getMessage());
            }
        }
    }

    private static Object toCel(Json value) {
        return switch (value) {
            case Json.Null _ -> NullValue.NULL_VALUE;
            case Json.Bool(boolean bool) -> bool;
            case Json.Num(BigDecimal number) ->
                isLong(number) ? (Object) number.longValueExact() : number.doubleValue();
            case Json.Str(String text) -> text;
            case Json.Arr(List<Json> items) ->
                items.stream().map(CelDialect::toCel).toList();
            case Json.Obj(SequencedMap<String, Json> members) -> {
                var map = new LinkedHashMap<String, Object>();
                members.forEach((name, member) -> map.put(name, toCel(member)));
                yield map;
            }
        };
    }

    private static boolean isLong(BigDecimal number) {
        return number.stripTrailingZeros().scale() <= 0 && number.precision() - number.scale() <= 18;
    }

    private static Json fromCel(@Nullable Object value) {
        return switch (value) {
            case null -> Values.NULL;
            case Boolean bool -> Json.of(bool);
            case Number number -> JsonText.number(new BigDecimal(number.toString()));
            case String text -> Json.of(text);
            case List<?> items -> {
                var converted = new ArrayList<Json>();
                items.forEach(item -> converted.add(fromCel(item)));
                yield Json.of(converted);
            }
            case Map<?, ?> map -> {
                var members = new LinkedHashMap<String, Json>();
                map.forEach((name, member) -> members.put(String.valueOf(name), fromCel(member)));
                yield Json.of(members);
            }
            case NullValue _ -> Values.NULL;
            default -> Json.of(value.toString());
        };
    }
}
