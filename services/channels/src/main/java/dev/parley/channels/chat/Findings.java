package dev.parley.channels.chat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.BotCheck.Finding;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.platform.config.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What is found about one bot, in order; secrets that were read are in no text. */
public final class Findings {
    private final List<Finding> found = new ArrayList<>();
    private final List<String> hidden = new ArrayList<>();

    public void fine(String text) {
        say(true, text);
    }

    public void bad(String text) {
        say(false, text);
    }

    public void say(boolean isFine, String text) {
        found.add(new Finding(isFine, text));
    }

    /** A secret of the settings. Where it is not there, that is found. @param what it is, such as {@code token} */
    public Optional<String> secret(String what, String reference, Secrets secrets) {
        try {
            String secret = secrets.get(reference);
            hidden.add(secret);
            return Optional.of(secret);
        } catch (Secrets.MissingException e) {
            bad("its %s: %s".formatted(what, e.getMessage()));
            return Optional.empty();
        }
    }

    /** What to say besides where a secret is refused: nothing, or that it does not look like one. */
    public static String looks(Form form, String secret) {
        return form.fits(secret) ? "" : "; what stands there does not look so: it " + form.words();
    }

    /** Which commands the platform knows. @param name the field of each one that has its name */
    public void commands(JsonNode registered, String name) {
        Set<String> missing = new TreeSet<>(Commands.ALL);
        registered.forEach(command -> missing.remove(command.path(name).asText()));
        fine(
                missing.isEmpty()
                        ? "its commands are registered"
                        : "its commands are not registered (%s missing); Parley does that when it starts"
                                .formatted(String.join(", ", missing)));
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public List<Finding> list() {
        return found.stream()
                .map(finding -> new Finding(finding.isFine(), hidden(finding.text())))
                .toList();
    }

    private String hidden(String text) {
        String shown = text;
        for (String secret : hidden) {
            shown = shown.replace(secret, "…");
        }
        return shown;
    }
}
