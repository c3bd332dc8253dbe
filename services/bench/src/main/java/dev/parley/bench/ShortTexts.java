package dev.parley.bench;

import java.util.List;
import java.util.SplittableRandom;

/** Synthetic documents of one or two sentences and questions about them, reproducible from a seed. */
final class ShortTexts {
    private static final List<String> FIRST =
            List.of(("Alice Bruno Chidi Dana Elif Farid Greta Hana Ivan Jonas Keiko Lena Marta Nils Olga Priya "
                            + "Rosa Samir Tomas Vera")
                    .split(" "));

    private static final List<String> LAST =
            List.of(("Berg Chen Dubois Eriksen Fischer Garcia Haddad Ito Jansen Kowalski Larsen Moreau Nair Okafor "
                            + "Petrov Rossi Silva Tanaka Weber Yilmaz")
                    .split(" "));

    private static final List<String> PLACES =
            List.of(("Oslo Bergen Lisbon Kyoto Nairobi Montreal Vienna Porto Tallinn Valencia Lima Cork Ghent "
                            + "Turin Perth Quito")
                    .split(" "));

    private static final List<String> DONE = List.of(
            "visited the harbour in",
            "gave a talk about rivers in",
            "repaired an old bicycle in",
            "met a publisher in",
            "photographed bridges in",
            "ran a half marathon in",
            "bought a small piano in",
            "planted apple trees near",
            "rented a workshop in",
            "taught a course on maps in");

    private static final List<String> MORE = List.of(
            "It rained the whole week.",
            "The next visit is planned for spring.",
            "Everybody was tired afterwards.",
            "The costs were higher than expected.",
            "Friends from school came along.",
            "The train was late again.");

    private static final int DAYS = 28;

    private final SplittableRandom random;

    ShortTexts(SplittableRandom random) {
        this.random = random;
    }

    /** A sentence about an activity of a person at a place; half of the documents have a second sentence. */
    String document() {
        String first = "%s %s %s on %d May 2025 with %s."
                .formatted(person(), any(DONE), any(PLACES), 1 + random.nextInt(DAYS), person());
        return random.nextBoolean() ? first : first + " " + any(MORE);
    }

    /** A question that one of the documents may answer. */
    String question() {
        return random.nextBoolean()
                ? "What did %s do in %s?".formatted(person(), any(PLACES))
                : "Who %s %s?".formatted(any(DONE), any(PLACES));
    }

    private String person() {
        return any(FIRST) + " " + any(LAST);
    }

    private String any(List<String> options) {
        return options.get(random.nextInt(options.size()));
    }
}
