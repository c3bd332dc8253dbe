package dev.parley.workflows.jq;

import dev.parley.workflows.jq.Lexer.Kind;
import dev.parley.workflows.jq.Lexer.Token;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Recursive-descent parser of jq that resolves names while it parses. Rules of operators are in the order of their
 * binding, the weakest first.
 */
final class Parser {
    private static final int MAX_DEPTH = 150;
    private static final JqFilter IDENTITY = new JqFilter.Identity();
    private static final Set<String> UPDATES = Set.of("=", "|=", "+=", "-=", "*=", "/=", "%=", "//=");
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");

    private final List<Token> tokens;
    private final boolean prelude;
    private int next;
    private int depth;
    /** Names in scope, the innermost first: variables with {@code $}, functions with their arity. */
    private final Deque<String> names;

    private Parser(List<Token> tokens, Deque<String> names, boolean prelude) {
        this.tokens = tokens;
        this.names = names;
        this.prelude = prelude;
    }

    static JqFilter parse(String text, Set<String> variables) {
        var names = new ArrayDeque<String>();
        variables.forEach(name -> names.push("$" + name));
        return parse(text, names, false);
    }

    /** Parses functions written in jq. */
    static List<JqFilter.Function> functions(String text) {
        var parser = new Parser(Lexer.tokens(text), new ArrayDeque<>(), true);
        var functions = new ArrayList<JqFilter.Function>();
        while (parser.peek().is("def")) {
            functions.add(parser.function());
        }
        parser.expectEnd();
        return functions;
    }

    private static JqFilter parse(String text, Deque<String> names, boolean prelude) {
        var parser = new Parser(Lexer.tokens(text), names, prelude);
        JqFilter filter = parser.pipe();
        parser.expectEnd();
        return filter;
    }

    private void expectEnd() {
        if (peek().kind() != Kind.END) {
            throw unexpectedToken();
        }
    }

    private Token peek() {
        return tokens.get(next);
    }

    private Token take() {
        Token token = tokens.get(next);
        if (token.kind() != Kind.END) {
            next++;
        }
        return token;
    }

    private boolean takes(String operator) {
        if (peek().is(operator)) {
            next++;
            return true;
        }
        return false;
    }

    private void expect(String operator) {
        if (!takes(operator)) {
            throw new JqSyntaxException("'" + operator + "' is missing before " + describe(peek()), peek().at());
        }
    }

    private JqSyntaxException unexpectedToken() {
        return new JqSyntaxException(describe(peek()) + " is not expected here", peek().at());
    }

    private static String describe(Token token) {
        return switch (token.kind()) {
            case END -> "the end";
            case STRING -> "a string";
            case FIELD -> "'." + token.text() + "'";
            case VARIABLE -> "'$" + token.text() + "'";
            case OPERATOR, NAME, KEYWORD, FORMAT, NUMBER -> "'" + token.text() + "'";
        };
    }

    private JqFilter pipe() {
        return nest(() -> {
            if (peek().is("def")) {
                JqFilter.Function function = function();
                return new JqFilter.Define(function, pipeWith(List.of(function.key())));
            }
            if (takes("label")) {
                String label = "*" + takeVariable();
                expect("|");
                return new JqFilter.Label(label, pipeWith(List.of(label)));
            }
            JqFilter left = comma();
            return takes("|") ? new JqFilter.Pipe(left, pipe()) : left;
        });
    }

    private JqFilter nest(Supplier<JqFilter> rule) {
        if (++depth > MAX_DEPTH) {
            throw new JqSyntaxException("the expression is nested too deeply", peek().at());
        }
        try {
            return rule.get();
        } finally {
            depth--;
        }
    }

    /** A pipe with further names in scope. */
    private JqFilter pipeWith(List<String> scope) {
        scope.forEach(names::push);
        JqFilter body = pipe();
        scope.forEach(names::remove);
        return body;
    }

    private JqFilter comma() {
        JqFilter left = alternative();
        while (takes(",")) {
            left = new JqFilter.Comma(left, alternative());
        }
        return left;
    }

    /** {@code //}, right-associative; binds weaker than updates. */
    private JqFilter alternative() {
        JqFilter left = update();
        return takes("//") ? new JqFilter.Alternative(left, alternative()) : left;
    }

    private JqFilter update() {
        JqFilter left = or();
        if (peek().kind() == Kind.OPERATOR && UPDATES.contains(peek().text())) {
            String operator = take().text();
            return new JqFilter.Update(operator.substring(0, operator.length() - 1), left, or());
        }
        return left;
    }

    private JqFilter or() {
        JqFilter left = and();
        while (takes("or")) {
            left = new JqFilter.Or(left, and());
        }
        return left;
    }

    private JqFilter and() {
        JqFilter left = comparison();
        while (takes("and")) {
            left = new JqFilter.And(left, comparison());
        }
        return left;
    }

    private JqFilter comparison() {
        JqFilter left = sum();
        if (peek().kind() == Kind.OPERATOR && COMPARISONS.contains(peek().text())) {
            return new JqFilter.Binary(take().text(), left, sum());
        }
        return left;
    }

    private JqFilter sum() {
        JqFilter left = product();
        while (peek().is("+") || peek().is("-")) {
            left = new JqFilter.Binary(take().text(), left, product());
        }
        return left;
    }

    private JqFilter product() {
        JqFilter left = postfixed();
        while (peek().is("*") || peek().is("/") || peek().is("%")) {
            left = new JqFilter.Binary(take().text(), left, postfixed());
        }
        return left;
    }

    /** A term with its suffixes and {@code as}. */
    private JqFilter postfixed() {
        return nest(() -> {
            if (takes("-")) {
                return new JqFilter.Negate(postfixed());
            }
            JqFilter term = suffixes(term());
            return takes("as") ? bind(term) : term;
        });
    }

    private JqFilter bind(JqFilter source) {
        var patterns = new ArrayList<JqFilter.Pattern>();
        var bound = new ArrayList<String>();
        do {
            patterns.add(pattern(bound));
        } while (takes("?//"));
        expect("|");
        return new JqFilter.Bind(source, patterns, pipeWith(bound));
    }

    private JqFilter suffixes(JqFilter start) {
        JqFilter term = start;
        while (true) {
            Token token = peek();
            if (token.kind() == Kind.FIELD) {
                term = new JqFilter.Index(term, new JqFilter.Literal(Json.of(take().text())));
            } else if (token.is(".") && tokens.get(next + 1).kind() == Kind.STRING) {
                next++;
                term = new JqFilter.Index(term, string(null));
            } else if (token.is(".") && tokens.get(next + 1).is("[")) {
                next++;
            } else if (takes("[")) {
                term = bracket(term);
            } else if (takesQuestionMark()) {
                term = new JqFilter.Try(term, null);
            } else {
                return term;
            }
        }
    }

    /** Takes a {@code ?}; of {@code ?//} and {@code ?//=} only the first sign. */
    private boolean takesQuestionMark() {
        Token token = peek();
        if (token.is("?//") || token.is("?//=")) {
            tokens.set(next, new Token(Kind.OPERATOR, token.text().substring(1), token.at() + 1, List.of()));
            return true;
        }
        return takes("?");
    }

    private JqFilter bracket(JqFilter target) {
        if (takes("]")) {
            return new JqFilter.Iterate(target);
        }
        if (takes(":")) {
            JqFilter to = pipe();
            expect("]");
            return new JqFilter.Slice(target, null, to);
        }
        JqFilter key = pipe();
        if (takes(":")) {
            JqFilter to = peek().is("]") ? null : pipe();
            expect("]");
            return new JqFilter.Slice(target, key, to);
        }
        expect("]");
        return new JqFilter.Index(target, key);
    }

    private JqFilter term() {
        Token token = peek();
        return switch (token.kind()) {
            case NUMBER -> new JqFilter.Literal(number(take()));
            case STRING -> string(null);
            case FORMAT -> {
                next++;
                yield peek().kind() == Kind.STRING ? string(token.text()) : format(token);
            }
            case FIELD -> new JqFilter.Index(IDENTITY, new JqFilter.Literal(Json.of(take().text())));
            case VARIABLE -> variable(take());
            case NAME -> call(take());
            case KEYWORD -> keyword();
            case OPERATOR -> operator();
            case END -> throw unexpectedToken();
        };
    }

    private static Json number(Token token) {
        try {
            return JsonText.number(new BigDecimal(token.text()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new JqSyntaxException("the number is too long", token.at());
        }
    }

    private static JqFilter format(Token token) {
        if (!Formats.NAMES.contains(token.text())) {
            throw new JqSyntaxException(
                    "there is no " + token.text() + "; there are " + String.join(", ", Formats.NAMES), token.at());
        }
        return new JqFilter.Format(token.text());
    }

    private JqFilter string(@Nullable String format) {
        Token token = take();
        if (token.parts().size() == 1) {
            return new JqFilter.Literal(Json.of(token.text()));
        }
        if (format != null) {
            format(new Token(Kind.FORMAT, format, token.at(), List.of()));
        }
        var parts = new ArrayList<JqFilter>();
        for (int i = 0; i < token.parts().size(); i++) {
            String part = token.parts().get(i);
            parts.add(i % 2 == 0 ? new JqFilter.Literal(Json.of(part)) : interpolation(part, token));
        }
        return new JqFilter.Interpolated(format, parts);
    }

    private JqFilter interpolation(String text, Token string) {
        try {
            return parse(text, names, prelude);
        } catch (JqSyntaxException e) {
            throw new JqSyntaxException("in \\(" + text + "): " + e.getMessage(), string.at());
        }
    }

    private JqFilter variable(Token token) {
        if (token.text().equals("__loc__")) {
            throw new JqSyntaxException("$__loc__ is not available", token.at());
        }
        if (!names.contains("$" + token.text())) {
            throw new JqSyntaxException("$" + token.text() + " is not defined here" + describeVariables(), token.at());
        }
        return new JqFilter.Variable(token.text());
    }

    private String describeVariables() {
        List<String> variables = names.stream()
                .filter(name -> name.startsWith("$"))
                .sorted()
                .distinct()
                .toList();
        return variables.isEmpty() ? "" : "; there are " + String.join(", ", variables);
    }

    private JqFilter call(Token name) {
        if (name.text().equals("break") && peek().kind() == Kind.VARIABLE) {
            return leave(name);
        }
        List<JqFilter> arguments = arguments();
        String key = name.text() + "/" + arguments.size();
        return switch (key) {
            case "null/0" -> new JqFilter.Literal(Values.NULL);
            case "true/0" -> new JqFilter.Literal(Values.TRUE);
            case "false/0" -> new JqFilter.Literal(Values.FALSE);
            default -> {
                if (key.equals("now/0") && names.contains("$now") && !names.contains(key)) {
                    yield new JqFilter.Variable("now");
                }
                if (!names.contains(key) && !Builtins.has(key) && !prelude) {
                    throw new JqSyntaxException(unknown(name.text(), arguments.size()), name.at());
                }
                yield new JqFilter.Call(name.text(), arguments);
            }
        };
    }

    private JqFilter leave(Token name) {
        String label = "*" + takeVariable();
        if (!names.contains(label)) {
            throw new JqSyntaxException("there is no label $" + label.substring(1), name.at());
        }
        return new JqFilter.Break(label);
    }

    private List<JqFilter> arguments() {
        var arguments = new ArrayList<JqFilter>();
        if (takes("(")) {
            do {
                arguments.add(pipe());
            } while (takes(";"));
            expect(")");
        }
        return arguments;
    }

    private static String unknown(String name, int arguments) {
        List<String> arities = Builtins.aritiesOf(name);
        if (!arities.isEmpty()) {
            return name + " takes " + String.join(" or ", arities) + " arguments, not " + arguments;
        }
        return "there is no function '" + name + "'; a text is written in quotes";
    }

    private JqFilter keyword() {
        Token token = take();
        return switch (token.text()) {
            case "if" -> condition();
            case "try" -> attempt();
            case "reduce" -> {
                JqFilter.Foreach fold = fold(false);
                yield new JqFilter.Reduce(fold.source(), fold.pattern(), fold.start(), fold.update());
            }
            case "foreach" -> fold(true);
            case "def" -> {
                next--;
                yield pipe();
            }
            default -> {
                next--;
                throw unexpectedToken();
            }
        };
    }

    private JqFilter attempt() {
        JqFilter body = suffixes(term());
        return new JqFilter.Try(body, takes("catch") ? suffixes(term()) : null);
    }

    /** {@code source as pattern (start; update; extract)}; only {@code foreach} may have the last of these. */
    private JqFilter.Foreach fold(boolean extracts) {
        JqFilter source = suffixes(term());
        expect("as");
        var bound = new ArrayList<String>();
        JqFilter.Pattern pattern = pattern(bound);
        expect("(");
        JqFilter start = pipe();
        expect(";");
        bound.forEach(names::push);
        JqFilter update = pipe();
        JqFilter extract = extracts && takes(";") ? pipe() : null;
        bound.forEach(names::remove);
        expect(")");
        return new JqFilter.Foreach(source, pattern, start, update, extract);
    }

    private JqFilter condition() {
        JqFilter condition = pipe();
        expect("then");
        JqFilter then = pipe();
        if (takes("elif")) {
            return new JqFilter.If(condition, then, condition());
        }
        JqFilter otherwise = takes("else") ? pipe() : IDENTITY;
        expect("end");
        return new JqFilter.If(condition, then, otherwise);
    }

    private JqFilter.Function function() {
        expect("def");
        String name = takeName();
        List<String> parameters = parameters();
        expect(":");
        var scope = new ArrayList<String>();
        scope.add(name + "/" + parameters.size());
        for (String parameter : parameters) {
            scope.add(parameter.startsWith("$") ? parameter : parameter + "/0");
            if (parameter.startsWith("$")) {
                scope.add(parameter.substring(1) + "/0");
            }
        }
        JqFilter body = pipeWith(scope);
        expect(";");
        return new JqFilter.Function(name, parameters, body);
    }

    private List<String> parameters() {
        var parameters = new ArrayList<String>();
        if (takes("(")) {
            do {
                parameters.add(peek().kind() == Kind.VARIABLE ? "$" + take().text() : takeName());
            } while (takes(";"));
            expect(")");
        }
        return parameters;
    }

    private String takeName() {
        Token token = take();
        if (token.kind() != Kind.NAME && token.kind() != Kind.KEYWORD) {
            next--;
            throw new JqSyntaxException("a name is missing before " + describe(peek()), peek().at());
        }
        return token.text();
    }

    private String takeVariable() {
        Token token = take();
        if (token.kind() != Kind.VARIABLE) {
            throw new JqSyntaxException("a variable such as $x is missing before " + describe(token), token.at());
        }
        return token.text();
    }

    private JqFilter operator() {
        Token token = take();
        return switch (token.text()) {
            case "." -> peek().kind() == Kind.STRING ? new JqFilter.Index(IDENTITY, string(null)) : IDENTITY;
            case ".." -> new JqFilter.Recurse();
            case "(" -> {
                JqFilter inner = pipe();
                expect(")");
                yield inner;
            }
            case "[" -> array();
            case "{" -> object();
            default -> {
                next--;
                throw unexpectedToken();
            }
        };
    }

    private JqFilter array() {
        if (takes("]")) {
            return new JqFilter.ArrayOf(null);
        }
        JqFilter items = pipe();
        expect("]");
        return new JqFilter.ArrayOf(items);
    }

    private JqFilter object() {
        var members = new ArrayList<JqFilter.Member>();
        while (!peek().is("}")) {
            members.add(member());
            if (!takes(",")) {
                break;
            }
        }
        expect("}");
        return new JqFilter.ObjectOf(members);
    }

    private JqFilter.Member member() {
        Token token = peek();
        JqFilter name = memberName();
        JqFilter shorthand = shorthandValue(token, name);
        if (shorthand != null && !peek().is(":")) {
            return new JqFilter.Member(name, shorthand);
        }
        expect(":");
        return new JqFilter.Member(name, memberValue());
    }

    /** The value of a member that has only a name, such as {@code {a, $b}}; null if the name needs a value. */
    private @Nullable JqFilter shorthandValue(Token token, JqFilter name) {
        return switch (token.kind()) {
            case VARIABLE -> variable(token);
            case NAME, KEYWORD, STRING, FORMAT -> new JqFilter.Index(IDENTITY, name);
            case NUMBER, OPERATOR, FIELD, END -> null;
        };
    }

    private JqFilter memberName() {
        Token token = peek();
        return switch (token.kind()) {
            case VARIABLE, NAME, KEYWORD, NUMBER -> new JqFilter.Literal(Json.of(take().text()));
            case STRING -> string(null);
            case FORMAT -> {
                next++;
                yield string(token.text());
            }
            case OPERATOR, FIELD, END -> {
                expect("(");
                JqFilter name = pipe();
                expect(")");
                yield name;
            }
        };
    }

    /** The value of a member, which may contain pipes but no commas. */
    private JqFilter memberValue() {
        JqFilter value = alternative();
        return takes("|") ? new JqFilter.Pipe(value, memberValue()) : value;
    }

    private JqFilter.Pattern pattern(List<String> bound) {
        if (peek().kind() == Kind.VARIABLE) {
            String name = take().text();
            bound.add("$" + name);
            return new JqFilter.Pattern.Name(name);
        }
        if (takes("[")) {
            var items = new ArrayList<JqFilter.Pattern>();
            do {
                items.add(pattern(bound));
            } while (takes(","));
            expect("]");
            return new JqFilter.Pattern.Items(items);
        }
        expect("{");
        var parts = new ArrayList<JqFilter.Pattern.Part>();
        do {
            parts.add(part(bound));
        } while (takes(","));
        expect("}");
        return new JqFilter.Pattern.Members(parts);
    }

    private JqFilter.Pattern.Part part(List<String> bound) {
        Token token = peek();
        if (token.kind() == Kind.VARIABLE) {
            next++;
            bound.add("$" + token.text());
            var name = new JqFilter.Literal(Json.of(token.text()));
            return new JqFilter.Pattern.Part(name, token.text(), takes(":") ? pattern(bound) : null);
        }
        JqFilter name;
        if (takes("(")) {
            name = pipe();
            expect(")");
        } else if (token.kind() == Kind.STRING) {
            name = string(null);
        } else {
            name = new JqFilter.Literal(Json.of(takeName()));
        }
        expect(":");
        return new JqFilter.Pattern.Part(name, null, pattern(bound));
    }
}
