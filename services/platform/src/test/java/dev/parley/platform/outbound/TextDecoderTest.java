package dev.parley.platform.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextDecoderTest {
    private static final byte[] QUOTED = {(byte) 0x93, 'h', 'i', (byte) 0x94, ' ', (byte) 0x80, '5'};

    @ParameterizedTest
    @ValueSource(
            strings = {
                "iso-8859-1",
                "ISO-8859-1",
                " latin1 ",
                "us-ascii",
                "ascii",
                "l1",
                "cp819",
                "ibm819",
                "iso_8859-1:1987",
                "ansi_x3.4-1968",
                "windows-1252",
                "x-cp1252",
                "csISOLatin1",
                "iso88591"
            })
    @Tag("B134")
    void labelsOfLatin1AreWindows1252(String label) {
        assertEquals("“hi” €5", TextDecoder.decode(QUOTED, label));
    }

    @ParameterizedTest
    @CsvSource({
        "shift_jis,windows-31j,①",
        "gb2312,GB18030,€",
        "euc-kr,x-windows-949,똠",
        "iso-8859-9,windows-1254,€",
        "tis-620,x-windows-874,€",
        "utf-16,UTF-16LE,x",
        "koi8-r,KOI8-R,ж",
        "iso-8859-2,ISO-8859-2,ł"
    })
    @Tag("B134")
    void labelsMeanWhatTheyMeanInBrowsers(String label, String charset, String text) {
        assertEquals(text, TextDecoder.decode(text.getBytes(Charset.forName(charset)), label));
    }

    @ParameterizedTest
    @CsvSource({"UTF-8,EFBBBF", "UTF-16LE,FFFE", "UTF-16BE,FEFF"})
    @Tag("B134")
    void byteOrderMarkComesBeforeTheLabelAndIsNoText(String charset, String mark) throws IOException {
        // Given
        var bytes = new ByteArrayOutputStream();
        bytes.write(HexFormat.of().parseHex(mark));
        bytes.write("naïve 😀".getBytes(Charset.forName(charset)));

        // Then
        for (String label : new String[] {null, "utf-8", "iso-8859-1", "utf-16be", "no-such-charset"}) {
            assertEquals("naïve 😀", TextDecoder.decode(bytes.toByteArray(), label), label);
        }
    }

    @Test
    @Tag("B134")
    void withoutMarkAndKnownLabelItIsUtf8() {
        assertEquals("naïve", TextDecoder.decode("naïve".getBytes(StandardCharsets.UTF_8), "no-such-charset"));
        assertEquals("\uFFFD", TextDecoder.decode(new byte[] {(byte) 0xE9}, null));
        assertEquals("", TextDecoder.decode(new byte[0], null));
        assertEquals(Optional.empty(), TextDecoder.charset("not a name"));
    }
}
