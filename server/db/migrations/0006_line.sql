CREATE TABLE "clinical_notes" (
	"consultation_id" integer PRIMARY KEY NOT NULL,
	"history" text DEFAULT '' NOT NULL,
	"findings" text DEFAULT '' NOT NULL,
	"assessment" text DEFAULT '' NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"plan" text DEFAULT '' NOT NULL,
	"watch_for" text DEFAULT '' NOT NULL,
	"go_if" text DEFAULT '' NOT NULL,
	"outcome" text,
	"version" integer DEFAULT 1 NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL,
	"signed_at" timestamp (3) with time zone,
	"signed_by" integer,
	CONSTRAINT "clinical_notes_signed" CHECK (("clinical_notes"."signed_at" is null) = ("clinical_notes"."signed_by" is null)),
	CONSTRAINT "clinical_notes_outcome" CHECK ("clinical_notes"."outcome" in ('home', 'own_vet', 'sent_in', 'no_answer')),
	CONSTRAINT "clinical_notes_signed_whole" CHECK ("clinical_notes"."signed_at" is null or ("clinical_notes"."outcome" is not null and "clinical_notes"."summary" <> ''))
);
--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "mail_when_taken" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notes" ADD COLUMN "kind" text DEFAULT 'addition' NOT NULL;--> statement-breakpoint
ALTER TABLE "clinical_notes" ADD CONSTRAINT "clinical_notes_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinical_notes" ADD CONSTRAINT "clinical_notes_signed_by_users_id_fk" FOREIGN KEY ("signed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "users_on_duty" ON "users" USING btree ("on_duty_since") WHERE on_duty_since is not null;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_kind" CHECK ("notes"."kind" in ('hand_over', 'addition'));