package dev.parley.sessions.api.share;

import dev.parley.domain.Sha256;
import dev.parley.sessions.api.PartJson.GivenFile;
import dev.parley.sessions.api.share.SharedJson.SharedMessage;
import dev.parley.sessions.api.share.SharedJson.SharedPart;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A shared session as an HTML page without scripts and external resources. All content is escaped. */
public final class SharedPage {
    private static final String STYLE = """
            body{margin:0 auto;max-width:46rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff}
            h1{font-size:1.3rem;overflow-wrap:anywhere}article{margin:1rem 0;padding:.6rem .9rem;border-radius:.6rem;background:#f3f3f3}
            article.user{background:#e3eefb;margin-left:15%}p,pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}
            small,summary{color:#666}nav{margin:1rem 0}
            @media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}article{background:#262626}article.user{background:#1d3147}
            small,summary{color:#999}a{color:#8bf}}""";

    /** Content security policy: only this style sheet; no scripts, images, frames or forms. */
    public static final String POLICY = "default-src 'none'; style-src 'sha256-"
            + Base64.getEncoder().encodeToString(Sha256.of(STYLE))
            + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final StringBuilder html = new StringBuilder();
    private final String files;

    private SharedPage(String token) {
        this.files = "../v1/shared/" + token + "/files/";
    }

    /** @param token the secret of the link, which needs no escaping in a URL */
    static String of(SharedJson session, String token) {
        var page = new SharedPage(token);
        page.appendHead(session.title());
        page.appendTag("h1", session.title());
        page.appendTag("small", time(session.createdAt()) + " – " + time(session.updatedAt()));
        session.data().forEach(page::appendMessage);
        if (session.next() != null) {
            page.html
                    .append("<nav><a href=\"?cursor=")
                    .append(escape(session.next()))
                    .append("\">→</a></nav>");
        }
        return page.html.append("</body></html>\n").toString();
    }

    /** The page of a link that is not valid. */
    static String invalidLink() {
        return notice("This link is not valid, or no longer valid.");
    }

    /** The page of a link that cannot be followed now. */
    static String unavailable() {
        return notice("The session cannot be shown now.");
    }

    private static String notice(String text) {
        var page = new SharedPage("");
        page.appendHead("–");
        page.appendTag("h1", text);
        return page.html.append("</body></html>\n").toString();
    }

    private void appendHead(String title) {
        html.append("<!doctype html><html><head><meta charset=\"utf-8\"><meta name=\"robots\" content=\"noindex\">")
                .append("<meta name=\"viewport\" content=\"width=device-width\"><title>")
                .append(escape(title))
                .append("</title><style>")
                .append(STYLE)
                .append("</style></head><body>");
    }

    private void appendMessage(SharedMessage message) {
        if (message.parts().isEmpty() && message.error() == null) {
            return;
        }
        html.append("<article class=\"")
                .append(message.role().equals("user") ? "user" : "other")
                .append("\">");
        appendTag(
                "small",
                (message.agent() == null ? message.role() : message.agent()) + " · " + time(message.createdAt()));
        message.parts().forEach(this::appendPart);
        appendTag("p", message.error());
        html.append("</article>");
    }

    private void appendPart(SharedPart part) {
        switch (part.kind()) {
            case "text" -> appendTag("p", part.text());
            case "file" -> {
                appendFile(part.name() == null ? "file" : part.name(), part.sha256());
                appendTag("p", part.transcript());
            }
            default -> appendCollapsed(part);
        }
        List<GivenFile> attached = part.files() == null ? List.of() : part.files();
        attached.forEach(file -> appendFile(file.name(), file.sha256()));
    }

    /** Reasoning and tool calls, collapsed. */
    private void appendCollapsed(SharedPart part) {
        html.append("<details>");
        appendTag("summary", part.name() == null ? part.kind() : part.name());
        appendTag("pre", part.text());
        appendTag("pre", part.arguments());
        appendTag("pre", part.result());
        appendTag("pre", part.error());
        html.append("</details>");
    }

    private void appendFile(String name, @Nullable String sha256) {
        if (sha256 == null) {
            appendTag("p", name);
            return;
        }
        html.append("<p><a download href=\"").append(escape(files + sha256)).append("\">");
        html.append(escape(name)).append("</a></p>");
    }

    private void appendTag(String tag, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            html.append('<').append(tag).append('>').append(escape(text));
            html.append("</").append(tag).append('>');
        }
    }

    private static String time(Instant time) {
        return TIME.format(time);
    }

    private static String escape(String text) {
        var safe = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }
}
