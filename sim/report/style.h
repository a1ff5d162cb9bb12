// How a page may look on the device it is written to, and text cells that respect it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flotilla::report {

struct Style {
  bool colour = false;
  bool unicode = false;
  int width = 100;  // columns that a line may take
};

inline constexpr int widest_page = 100;
inline constexpr int narrowest_page = 40;

// What a style is decided from; nullptr: the variable is not set.
struct Surroundings {
  bool terminal = false;
  int terminal_width = 0;  // 0: unknown
  const char* no_color = nullptr;
  const char* term = nullptr;
  const char* columns = nullptr;
  const char* locale = nullptr;  // the first of LC_ALL, LC_CTYPE, LANG that is not empty
};

// Colour and box characters only on a terminal that wants them; everything else gets plain ASCII.
Style style_for(const Surroundings& surroundings);
// The style of a file descriptor of this process.
Style detect_style(int fd);

enum class Paint {
  plain,
  strong,
  faint,
  good,
  bad,
  accent,
  // Blocks of a timeline, as the pipeline figures of the literature have them: forward blue,
  // backward green, the lighter shade for every other model chunk.
  forward,
  forward_light,
  backward,
  backward_light,
  mixed,
  optimizer,
  exchange
};

// The text between the escape codes of its paint; unchanged without colour.
std::string painted(std::string_view text, Paint paint, const Style& style);

// Columns that UTF-8 text takes on a terminal; escape codes take none.
int display_width(std::string_view text);

// Spaces added on the right (or left) up to a display width; longer text stays as it is.
std::string padded_right(std::string_view text, int width);
std::string padded_left(std::string_view text, int width);

// Text cut to a display width, the cut told by an ellipsis. The text must hold no escape codes.
std::string shortened(std::string_view text, int width, const Style& style);

// Control characters of names that people chose must not reach a terminal: they become '?'.
std::string printable(std::string_view text);

// Lines of at most `width` columns, broken where a separator stands. A word longer than a line is
// cut.
std::vector<std::string> wrapped(std::string_view text, int width, const Style& style,
                                 std::string_view separator = " ");

}  // namespace flotilla::report
