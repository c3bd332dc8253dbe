package dev.parley.tools.web;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebPageTest {
    private static final HttpUrl URL = HttpUrl.get("https://example.org/");

    private static String read(byte[] page, String label) throws IOException {
        return WebPage.html(URL, page, label, 1_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<meta charset=iso-8859-1>",
                "<meta charset=\"ISO-8859-1\">",
                "<meta http-equiv='Content-Type' content='text/html; charset=latin1'>"
            })
    @Tag("B134")
    void charsetThatAPageDeclaresIsThatOfBrowsers(String declaration) throws IOException {
        byte[] page = ("<html><head>" + declaration + "</head><body>“5 €”</body></html>")
                .getBytes(Charset.forName("windows-1252"));

        assertTrue(read(page, null).contains("“5 €”"), read(page, null));
    }

    @Test
    @Tag("B134")
    void headerComesBeforeThePageAndTheByteOrderMarkBeforeBoth() throws IOException {
        String html = "<html><head><meta charset=utf-8></head><body>“5 €”</body></html>";
        var marked = new ByteArrayOutputStream();
        marked.write(0xFF);
        marked.write(0xFE);
        marked.write(html.getBytes(StandardCharsets.UTF_16LE));

        assertTrue(read(html.getBytes(Charset.forName("windows-1252")), "iso-8859-1")
                .contains("“5 €”"));
        assertTrue(read(marked.toByteArray(), "iso-8859-1").contains("“5 €”"));
        assertTrue(read(html.getBytes(StandardCharsets.UTF_8), null).contains("“5 €”"));
    }
}
