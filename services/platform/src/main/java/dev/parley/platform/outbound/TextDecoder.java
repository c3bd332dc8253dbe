package dev.parley.platform.outbound;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decodes text that others wrote: a byte order mark comes first, then the label of the charset, then UTF-8. Labels mean
 * what they mean in browsers: {@code iso-8859-1} is windows-1252. Malformed input becomes U+FFFD.
 *
 * @see <a href="https://encoding.spec.whatwg.org/#names-and-labels">labels of the Encoding Standard</a>
 */
public final class TextDecoder {
    private static final char MARK = '\uFEFF';

    /** Labels whose charset is not the one that Java has under this name, by the charset. */
    private static final Map<String, String> LABELS = labels(Map.of(
            "windows-1252",
            "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1"
                    + " iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
            "windows-1254",
            "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5"
                    + " windows-1254 x-cp1254",
            "x-windows-874",
            "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
            "windows-31j",
            "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
            "GB18030",
            "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030",
            "x-windows-949",
            "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
            "Big5-HKSCS",
            "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
            "UTF-8",
            "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
            "UTF-16LE",
            "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
            "UTF-16BE",
            "unicodefffe utf-16be"));

    private TextDecoder() {}

    private static Map<String, String> labels(Map<String, String> byCharset) {
        var labels = new HashMap<String, String>();
        byCharset.forEach((charset, names) -> {
            for (String name : names.split(" ")) {
                labels.put(name, charset);
            }
        });
        return Map.copyOf(labels);
    }

    /** The charset of a label; empty if there is none of this name. */
    public static Optional<Charset> charset(@Nullable String label) {
        if (label == null) {
            return Optional.empty();
        }
        String name = label.strip().toLowerCase(Locale.ROOT);
        try {
            return Optional.of(Charset.forName(LABELS.getOrDefault(name, name)));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return Optional.empty();
        }
    }

    /** The charset that the byte order mark of a text names; empty if it has none. */
    public static Optional<Charset> marked(byte[] bytes) {
        if (startsWith(bytes, 0xEF, 0xBB, 0xBF)) {
            return Optional.of(StandardCharsets.UTF_8);
        }
        if (startsWith(bytes, 0xFE, 0xFF)) {
            return Optional.of(StandardCharsets.UTF_16BE);
        }
        return startsWith(bytes, 0xFF, 0xFE) ? Optional.of(StandardCharsets.UTF_16LE) : Optional.empty();
    }

    private static boolean startsWith(byte[] bytes, int... mark) {
        if (bytes.length < mark.length) {
            return false;
        }
        for (int i = 0; i < mark.length; i++) {
            if ((bytes[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * The text of these bytes, without its byte order mark.
     *
     * @param label of the charset, such as the parameter {@code charset} of a media type; null if nothing says it
     */
    public static String decode(byte[] bytes, @Nullable String label) {
        Charset charset = marked(bytes).or(() -> charset(label)).orElse(StandardCharsets.UTF_8);
        String text = new String(bytes, charset);
        return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
    }

    /** The text of a file, in the charset that {@link EncodedText} finds. */
    public static String read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        return EncodedText.of(bytes).map(EncodedText::text).orElseGet(() -> decode(bytes, null));
    }
}
