package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Syntax tree of a jq expression. */
sealed interface JqFilter {
    /** {@code .} */
    record Identity() implements JqFilter {}

    /** {@code ..} */
    record Recurse() implements JqFilter {}

    record Literal(Json value) implements JqFilter {}

    /** {@code target[key]}, {@code target.name} */
    record Index(JqFilter target, JqFilter key) implements JqFilter {}

    /** {@code target[from:to]} */
    record Slice(
            JqFilter target,
            @Nullable JqFilter from,
            @Nullable JqFilter to) implements JqFilter {}

    /** {@code target[]} */
    record Iterate(JqFilter target) implements JqFilter {}

    /**
     * An interpolated string.
     *
     * @param format applied to the values, such as {@code @base64}
     */
    record Interpolated(@Nullable String format, List<JqFilter> parts) implements JqFilter {}

    record Format(String name) implements JqFilter {}

    record ArrayOf(@Nullable JqFilter items) implements JqFilter {}

    record ObjectOf(List<Member> members) implements JqFilter {}

    record Member(JqFilter name, JqFilter value) {}

    record Negate(JqFilter of) implements JqFilter {}

    record Pipe(JqFilter left, JqFilter right) implements JqFilter {}

    record Comma(JqFilter left, JqFilter right) implements JqFilter {}

    /** Arithmetic and comparison. */
    record Binary(String operator, JqFilter left, JqFilter right) implements JqFilter {}

    record And(JqFilter left, JqFilter right) implements JqFilter {}

    record Or(JqFilter left, JqFilter right) implements JqFilter {}

    /** {@code left // right} */
    record Alternative(JqFilter left, JqFilter right) implements JqFilter {}

    /**
     * {@code target |= value}, {@code target += value} and the like.
     *
     * @param operator without the equals sign
     */
    record Update(String operator, JqFilter target, JqFilter value) implements JqFilter {}

    record If(JqFilter condition, JqFilter then, JqFilter otherwise) implements JqFilter {}

    record Try(JqFilter body, @Nullable JqFilter handler) implements JqFilter {}

    record Reduce(JqFilter source, Pattern pattern, JqFilter start, JqFilter update) implements JqFilter {}

    record Foreach(
            JqFilter source,
            Pattern pattern,
            JqFilter start,
            JqFilter update,
            @Nullable JqFilter extract) implements JqFilter {}

    /** {@code source as pattern ?// pattern | body} */
    record Bind(JqFilter source, List<Pattern> patterns, JqFilter body) implements JqFilter {}

    record Define(Function function, JqFilter body) implements JqFilter {}

    record Call(String name, List<JqFilter> arguments) implements JqFilter {}

    record Variable(String name) implements JqFilter {}

    record Label(String name, JqFilter body) implements JqFilter {}

    record Break(String name) implements JqFilter {}

    /**
     * A function.
     *
     * @param parameters those with {@code $} are also variables
     */
    record Function(String name, List<String> parameters, JqFilter body) {
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
                JqFilter name,
                @Nullable String variable,
                @Nullable Pattern value) {}
    }
}
