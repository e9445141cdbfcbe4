CREATE TABLE "escalation_steps" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "escalation_steps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"consultation_id" integer NOT NULL,
	"step" integer NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"place" smallint,
	"call_step" integer,
	"user_id" integer,
	CONSTRAINT "escalation_steps_once" UNIQUE("consultation_id","step"),
	CONSTRAINT "escalation_steps_answer" UNIQUE("consultation_id","call_step","kind")
);
--> statement-breakpoint
CREATE TABLE "escalations" (
	"consultation_id" integer PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"contacts" jsonb NOT NULL,
	"place" smallint NOT NULL,
	"minutes" smallint NOT NULL,
	"step" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "escalations_state" CHECK ("escalations"."state" in ('calling', 'taken', 'yours', 'decided')),
	CONSTRAINT "escalations_due" CHECK (("escalations"."state" = 'calling') = ("escalations"."due_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "sms_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"message_id" text NOT NULL,
	"key" text NOT NULL,
	"to" text NOT NULL,
	"text" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sms_messages_messageId_unique" UNIQUE("message_id"),
	CONSTRAINT "sms_messages_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "escalation_steps" ADD CONSTRAINT "escalation_steps_consultation_id_escalations_consultation_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."escalations"("consultation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escalation_steps" ADD CONSTRAINT "escalation_steps_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escalations" ADD CONSTRAINT "escalations_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "escalations_due" ON "escalations" USING btree ("due_at") WHERE state = 'calling';--> statement-breakpoint
CREATE INDEX "escalations_open" ON "escalations" USING btree ("consultation_id") WHERE state in ('calling', 'yours');--> statement-breakpoint
CREATE INDEX "sms_messages_due" ON "sms_messages" USING btree ("due_at") WHERE sent_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX "sms_messages_to" ON "sms_messages" USING btree ("to","id");