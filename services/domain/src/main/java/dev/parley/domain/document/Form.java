package dev.parley.domain.document;

/** How a document writes the value of a component. */
public enum Form {
    /** A record whose fields are fields of the document itself. */
    INLINE,
    /** As its type: an enum as its code, a duration as {@code 90s}, a record as an object. */
    PLAIN,
    /** A text of one line, without hidden characters. */
    LINE,
    /** A text that is kept as it is, also if it is empty. */
    VERBATIM,
    /** A duration, such as {@code 90s}, of which the component has the text. */
    DURATION,
    /** A regular expression (RE2) of a guardrail. */
    PATTERN,
    /** An object, which the component has as the text of its JSON, with sorted members. */
    OBJECT,
    /** US dollars, which the component has in billionths. */
    DOLLARS,
    /** One constant as its code, or {@code both} for all. */
    ONE_OR_BOTH,
    /** {@code block} for false, {@code allow} for true. */
    BLOCK_OR_ALLOW
}
