package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Syntax tree of a jq expression. */
sealed interface Filter {
    /** {@code .} */
    record Identity() implements Filter {}

    /** {@code ..} */
    record Recurse() implements Filter {}

    record Literal(Json value) implements Filter {}

    /** {@code target[key]}, {@code target.name} */
    record Index(Filter target, Filter key) implements Filter {}

    /** {@code target[from:to]} */
    record Slice(
            Filter target, @Nullable Filter from, @Nullable Filter to) implements Filter {}

    /** {@code target[]} */
    record Iterate(Filter target) implements Filter {}

    /**
     * An interpolated string.
     *
     * @param format applied to the values, such as {@code @base64}
     */
    record Interpolated(@Nullable String format, List<Filter> parts) implements Filter {}

    record Format(String name) implements Filter {}

    record ArrayOf(@Nullable Filter items) implements Filter {}

    record ObjectOf(List<Member> members) implements Filter {}

    record Member(Filter name, Filter value) {}

    record Negate(Filter of) implements Filter {}

    record Pipe(Filter left, Filter right) implements Filter {}

    record Comma(Filter left, Filter right) implements Filter {}

    /** Arithmetic and comparison. */
    record Binary(String operator, Filter left, Filter right) implements Filter {}

    record And(Filter left, Filter right) implements Filter {}

    record Or(Filter left, Filter right) implements Filter {}

    /** {@code left // right} */
    record Alternative(Filter left, Filter right) implements Filter {}

    /**
     * {@code target |= value}, {@code target += value} and the like.
     *
     * @param operator without the equals sign
     */
    record Update(String operator, Filter target, Filter value) implements Filter {}

    record If(Filter condition, Filter then, Filter otherwise) implements Filter {}

    record Try(Filter body, @Nullable Filter handler) implements Filter {}

    record Reduce(Filter source, Pattern pattern, Filter start, Filter update) implements Filter {}

    record Foreach(
            Filter source,
            Pattern pattern,
            Filter start,
            Filter update,
            @Nullable Filter extract) implements Filter {}

    /** {@code source as pattern ?// pattern | body} */
    record Bind(Filter source, List<Pattern> patterns, Filter body) implements Filter {}

    record Define(Function function, Filter body) implements Filter {}

    record Call(String name, List<Filter> arguments) implements Filter {}

    record Variable(String name) implements Filter {}

    record Label(String name, Filter body) implements Filter {}

    record Break(String name) implements Filter {}

    /**
     * A function.
     *
     * @param parameters those with {@code $} are also variables
     */
    record Function(String name, List<String> parameters, Filter body) {
        String key() {
            return name + "/" + parameters.size();
        }
    }

    /** A destructuring pattern. */
    sealed interface Pattern {
        record Name(String name) implements Pattern {}

        record Items(List<Pattern> items) implements Pattern {}

        record Members(List<Part> parts) implements Pattern {}

        /** @param variable also bound to the value, or null */
        record Part(
                Filter name,
                @Nullable String variable,
                @Nullable Pattern value) {}
    }
}
