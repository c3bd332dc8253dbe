package dev.parley.domain.memory.reflect;

import java.util.List;

/**
 * Traits that shape a bank's reflections, without effect on what is stored or found.
 *
 * @param skepticism from 1, trusting, to 5, doubting
 * @param literalism from 1, reads between the lines, to 5, literal
 * @param empathy from 1, focused on facts, to 5, on feelings
 */
public record Disposition(int skepticism, int literalism, int empathy) {
    /** The default traits. */
    public static final Disposition DEFAULT = new Disposition(3, 3, 3);

    private static final List<String> SKEPTICISM = List.of(
            "You trust what people say, and take a claim as true unless something speaks against it.",
            "You mostly trust what people say, and doubt only what is unlikely.",
            "You weigh what speaks for a claim and what speaks against it.",
            "You doubt claims that rest on one source, and say how sure one can be.",
            "You doubt every claim until several sources support it, and name what is missing and what contradicts.");
    private static final List<String> LITERALISM = List.of(
            "You read between the lines: what somebody means matters more than the words they chose.",
            "You take hints and moods into account where the words leave room.",
            "You take words as they are meant in ordinary talk.",
            "You keep to what was said, and mark what you read into it.",
            "You keep to the exact words, and read nothing into them that they do not say.");
    private static final List<String> EMPATHY = List.of(
            "You keep to the facts, and leave aside how anybody feels about them.",
            "You put facts first, and mention feelings only where they matter.",
            "You give facts and feelings their due.",
            "You consider how people feel, and choose words that are kind.",
            "You begin with how people feel and what they need, and say hard things gently.");

    /** @throws IllegalArgumentException naming the trait that is not from 1 to 5 */
    public Disposition {
        check("skepticism", skepticism);
        check("literalism", literalism);
        check("empathy", empathy);
    }

    private static void check(String trait, int value) {
        if (value < 1 || value > 5) {
            throw new IllegalArgumentException(trait + " must be from 1 to 5, and is " + value);
        }
    }

    /** Instructions for a model, one sentence per trait. */
    public List<String> sentences() {
        return List.of(SKEPTICISM.get(skepticism - 1), LITERALISM.get(literalism - 1), EMPATHY.get(empathy - 1));
    }
}
