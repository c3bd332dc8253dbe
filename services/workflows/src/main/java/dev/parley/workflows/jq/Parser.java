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
 * Recursive-descent parser of jq that resolves names while it parses.
 *
 * <p>It is long because a grammar has many rules, each of a few lines.
 */
final class Parser {
    private static final int MAX_DEPTH = 150;
    private static final Filter IDENTITY = new Filter.Identity();
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

    static Filter parse(String text, Set<String> variables) {
        var names = new ArrayDeque<String>();
        variables.forEach(name -> names.push("$" + name));
        return parse(text, names, false);
    }

    /** Parses functions written in jq. */
    static List<Filter.Function> functions(String text) {
        var parser = new Parser(Lexer.tokens(text), new ArrayDeque<>(), true);
        var functions = new ArrayList<Filter.Function>();
        while (parser.peek().is("def")) {
            functions.add(parser.function());
        }
        parser.expectEnd();
        return functions;
    }

    private static Filter parse(String text, Deque<String> names, boolean prelude) {
        var parser = new Parser(Lexer.tokens(text), names, prelude);
        Filter filter = parser.pipe();
        parser.expectEnd();
        return filter;
    }

    private void expectEnd() {
        if (peek().kind() != Kind.END) {
            throw unexpectedToken();
        }
    }

    // ---- tokens

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
            default -> "'" + token.text() + "'";
        };
    }

    // ---- from the weakest binding to the strongest

    private Filter pipe() {
        return nest(() -> {
            if (peek().is("def")) {
                Filter.Function function = function();
                return new Filter.Define(function, pipeWith(List.of(function.key())));
            }
            if (takes("label")) {
                String label = "*" + takeVariable();
                expect("|");
                return new Filter.Label(label, pipeWith(List.of(label)));
            }
            Filter left = comma();
            return takes("|") ? new Filter.Pipe(left, pipe()) : left;
        });
    }

    private Filter nest(Supplier<Filter> rule) {
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
    private Filter pipeWith(List<String> scope) {
        scope.forEach(names::push);
        Filter body = pipe();
        scope.forEach(names::remove);
        return body;
    }

    private Filter comma() {
        Filter left = alternative();
        while (takes(",")) {
            left = new Filter.Comma(left, alternative());
        }
        return left;
    }

    /** {@code //}, right-associative; binds weaker than updates. */
    private Filter alternative() {
        Filter left = update();
        return takes("//") ? new Filter.Alternative(left, alternative()) : left;
    }

    private Filter update() {
        Filter left = or();
        if (peek().kind() == Kind.OPERATOR && UPDATES.contains(peek().text())) {
            String operator = take().text();
            return new Filter.Update(operator.substring(0, operator.length() - 1), left, or());
        }
        return left;
    }

    private Filter or() {
        Filter left = and();
        while (takes("or")) {
            left = new Filter.Or(left, and());
        }
        return left;
    }

    private Filter and() {
        Filter left = comparison();
        while (takes("and")) {
            left = new Filter.And(left, comparison());
        }
        return left;
    }

    private Filter comparison() {
        Filter left = sum();
        if (peek().kind() == Kind.OPERATOR && COMPARISONS.contains(peek().text())) {
            return new Filter.Binary(take().text(), left, sum());
        }
        return left;
    }

    private Filter sum() {
        Filter left = product();
        while (peek().is("+") || peek().is("-")) {
            left = new Filter.Binary(take().text(), left, product());
        }
        return left;
    }

    private Filter product() {
        Filter left = postfixed();
        while (peek().is("*") || peek().is("/") || peek().is("%")) {
            left = new Filter.Binary(take().text(), left, postfixed());
        }
        return left;
    }

    /** A term with its suffixes and {@code as}. */
    private Filter postfixed() {
        return nest(() -> {
            if (takes("-")) {
                return new Filter.Negate(postfixed());
            }
            Filter term = suffixes(term());
            return takes("as") ? bind(term) : term;
        });
    }

    private Filter bind(Filter source) {
        var patterns = new ArrayList<Filter.Pattern>();
        var bound = new ArrayList<String>();
        do {
            patterns.add(pattern(bound));
        } while (takes("?//"));
        expect("|");
        return new Filter.Bind(source, patterns, pipeWith(bound));
    }

    private Filter suffixes(Filter start) {
        Filter term = start;
        while (true) {
            Token token = peek();
            if (token.kind() == Kind.FIELD) {
                next++;
                term = new Filter.Index(term, new Filter.Literal(Json.of(token.text())));
            } else if (token.is(".") && tokens.get(next + 1).kind() == Kind.STRING) {
                next++;
                term = new Filter.Index(term, string(null));
            } else if (token.is(".") && tokens.get(next + 1).is("[")) {
                next++;
            } else if (takes("[")) {
                term = bracket(term);
            } else if (takes("?")) {
                term = new Filter.Try(term, null);
            } else if (token.is("?//") || token.is("?//=")) {
                tokens.set(next, new Token(Kind.OPERATOR, token.text().substring(1), token.at() + 1, List.of()));
                term = new Filter.Try(term, null);
            } else {
                return term;
            }
        }
    }

    private Filter bracket(Filter target) {
        if (takes("]")) {
            return new Filter.Iterate(target);
        }
        if (takes(":")) {
            Filter to = pipe();
            expect("]");
            return new Filter.Slice(target, null, to);
        }
        Filter key = pipe();
        if (takes(":")) {
            Filter to = peek().is("]") ? null : pipe();
            expect("]");
            return new Filter.Slice(target, key, to);
        }
        expect("]");
        return new Filter.Index(target, key);
    }

    // ---- terms

    private Filter term() {
        Token token = peek();
        return switch (token.kind()) {
            case NUMBER -> new Filter.Literal(number(take()));
            case STRING -> string(null);
            case FORMAT -> {
                next++;
                yield peek().kind() == Kind.STRING ? string(token.text()) : format(token);
            }
            case FIELD -> {
                next++;
                yield new Filter.Index(IDENTITY, new Filter.Literal(Json.of(token.text())));
            }
            case VARIABLE -> {
                next++;
                yield variable(token);
            }
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

    private static Filter format(Token token) {
        if (!Formats.NAMES.contains(token.text())) {
            throw new JqSyntaxException(
                    "there is no " + token.text() + "; there are " + String.join(", ", Formats.NAMES), token.at());
        }
        return new Filter.Format(token.text());
    }

    private Filter string(@Nullable String format) {
        Token token = take();
        if (token.parts().size() == 1) {
            return new Filter.Literal(Json.of(token.text()));
        }
        if (format != null) {
            format(new Token(Kind.FORMAT, format, token.at(), List.of()));
        }
        var parts = new ArrayList<Filter>();
        for (int i = 0; i < token.parts().size(); i++) {
            String part = token.parts().get(i);
            parts.add(i % 2 == 0 ? new Filter.Literal(Json.of(part)) : interpolation(part, token));
        }
        return new Filter.Interpolated(format, parts);
    }

    private Filter interpolation(String text, Token string) {
        try {
            return parse(text, names, prelude);
        } catch (JqSyntaxException e) {
            throw new JqSyntaxException("in \\(" + text + "): " + e.getMessage(), string.at());
        }
    }

    private Filter variable(Token token) {
        if (token.text().equals("__loc__")) {
            throw new JqSyntaxException("$__loc__ is not available", token.at());
        }
        if (!names.contains("$" + token.text())) {
            throw new JqSyntaxException("$" + token.text() + " is not defined here" + describeVariables(), token.at());
        }
        return new Filter.Variable(token.text());
    }

    private String describeVariables() {
        List<String> variables = names.stream()
                .filter(name -> name.startsWith("$"))
                .sorted()
                .distinct()
                .toList();
        return variables.isEmpty() ? "" : "; there are " + String.join(", ", variables);
    }

    private Filter call(Token name) {
        if (name.text().equals("break") && peek().kind() == Kind.VARIABLE) {
            return leave(name);
        }
        List<Filter> arguments = arguments();
        String key = name.text() + "/" + arguments.size();
        return switch (key) {
            case "null/0" -> new Filter.Literal(Values.NULL);
            case "true/0" -> new Filter.Literal(Values.TRUE);
            case "false/0" -> new Filter.Literal(Values.FALSE);
            default -> {
                if (key.equals("now/0") && names.contains("$now") && !names.contains(key)) {
                    yield new Filter.Variable("now");
                }
                if (!names.contains(key) && !Builtins.has(key) && !prelude) {
                    throw new JqSyntaxException(unknown(name.text(), arguments.size()), name.at());
                }
                yield new Filter.Call(name.text(), arguments);
            }
        };
    }

    private Filter leave(Token name) {
        String label = "*" + takeVariable();
        if (!names.contains(label)) {
            throw new JqSyntaxException("there is no label $" + label.substring(1), name.at());
        }
        return new Filter.Break(label);
    }

    private List<Filter> arguments() {
        var arguments = new ArrayList<Filter>();
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

    private Filter keyword() {
        Token token = take();
        return switch (token.text()) {
            case "if" -> condition();
            case "try" -> {
                Filter body = suffixes(term());
                yield new Filter.Try(body, takes("catch") ? suffixes(term()) : null);
            }
            case "reduce" -> {
                Filter.Foreach fold = fold(false);
                yield new Filter.Reduce(fold.source(), fold.pattern(), fold.start(), fold.update());
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

    /** {@code source as pattern (start; update; extract)}; only {@code foreach} may have the last of these. */
    private Filter.Foreach fold(boolean extracts) {
        Filter source = suffixes(term());
        expect("as");
        var bound = new ArrayList<String>();
        Filter.Pattern pattern = pattern(bound);
        expect("(");
        Filter start = pipe();
        expect(";");
        bound.forEach(names::push);
        Filter update = pipe();
        Filter extract = extracts && takes(";") ? pipe() : null;
        bound.forEach(names::remove);
        expect(")");
        return new Filter.Foreach(source, pattern, start, update, extract);
    }

    private Filter condition() {
        Filter condition = pipe();
        expect("then");
        Filter then = pipe();
        if (takes("elif")) {
            return new Filter.If(condition, then, condition());
        }
        Filter otherwise = takes("else") ? pipe() : IDENTITY;
        expect("end");
        return new Filter.If(condition, then, otherwise);
    }

    private Filter.Function function() {
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
        Filter body = pipeWith(scope);
        expect(";");
        return new Filter.Function(name, parameters, body);
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

    private Filter operator() {
        Token token = take();
        return switch (token.text()) {
            case "." -> peek().kind() == Kind.STRING ? new Filter.Index(IDENTITY, string(null)) : IDENTITY;
            case ".." -> new Filter.Recurse();
            case "(" -> {
                Filter inner = pipe();
                expect(")");
                yield inner;
            }
            case "[" -> {
                if (takes("]")) {
                    yield new Filter.ArrayOf(null);
                }
                Filter items = pipe();
                expect("]");
                yield new Filter.ArrayOf(items);
            }
            case "{" -> object();
            default -> {
                next--;
                throw unexpectedToken();
            }
        };
    }

    private Filter object() {
        var members = new ArrayList<Filter.Member>();
        while (!peek().is("}")) {
            members.add(member());
            if (!takes(",")) {
                break;
            }
        }
        expect("}");
        return new Filter.ObjectOf(members);
    }

    private Filter.Member member() {
        Token token = peek();
        Filter name = memberName();
        Filter shorthand = shorthandValue(token, name);
        if (shorthand != null && !peek().is(":")) {
            return new Filter.Member(name, shorthand);
        }
        expect(":");
        return new Filter.Member(name, memberValue());
    }

    /** The value of a member that has only a name, such as {@code {a, $b}}; null if the name needs a value. */
    private @Nullable Filter shorthandValue(Token token, Filter name) {
        return switch (token.kind()) {
            case VARIABLE -> variable(token);
            case NAME, KEYWORD, STRING, FORMAT -> new Filter.Index(IDENTITY, name);
            case NUMBER, OPERATOR, FIELD, END -> null;
        };
    }

    private Filter memberName() {
        Token token = peek();
        return switch (token.kind()) {
            case VARIABLE, NAME, KEYWORD, NUMBER -> new Filter.Literal(Json.of(take().text()));
            case STRING -> string(null);
            case FORMAT -> {
                next++;
                yield string(token.text());
            }
            case OPERATOR, FIELD, END -> {
                expect("(");
                Filter name = pipe();
                expect(")");
                yield name;
            }
        };
    }

    /** The value of a member, which may contain pipes but no commas. */
    private Filter memberValue() {
        Filter value = alternative();
        return takes("|") ? new Filter.Pipe(value, memberValue()) : value;
    }

    private Filter.Pattern pattern(List<String> bound) {
        if (peek().kind() == Kind.VARIABLE) {
            String name = take().text();
            bound.add("$" + name);
            return new Filter.Pattern.Name(name);
        }
        if (takes("[")) {
            var items = new ArrayList<Filter.Pattern>();
            do {
                items.add(pattern(bound));
            } while (takes(","));
            expect("]");
            return new Filter.Pattern.Items(items);
        }
        expect("{");
        var parts = new ArrayList<Filter.Pattern.Part>();
        do {
            parts.add(part(bound));
        } while (takes(","));
        expect("}");
        return new Filter.Pattern.Members(parts);
    }

    private Filter.Pattern.Part part(List<String> bound) {
        Token token = peek();
        if (token.kind() == Kind.VARIABLE) {
            next++;
            bound.add("$" + token.text());
            var name = new Filter.Literal(Json.of(token.text()));
            return new Filter.Pattern.Part(name, token.text(), takes(":") ? pattern(bound) : null);
        }
        Filter name;
        if (takes("(")) {
            name = pipe();
            expect(")");
        } else if (token.kind() == Kind.STRING) {
            name = string(null);
        } else {
            name = new Filter.Literal(Json.of(takeName()));
        }
        expect(":");
        return new Filter.Pattern.Part(name, null, pattern(bound));
    }
}
